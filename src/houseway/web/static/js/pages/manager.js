// The Game Manager: every link, meter, reserve and table, live; claims, wins, alarms, prize accounts and devices.

import { complain, get, order, pressing, Refused } from "../api.js";
import { ask, field, values } from "../ask.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { winLink } from "../money-bag.js";
import { cents, dollars, money } from "../money.js";
import { clock, data, dateAndTime, gameName, spoken, t } from "../page.js";
import { withCard } from "../people.js";

const WINS_SHOWN = 8;
const OF_WINS = new Set(["win_logged", "win_paid", "win_undone", "late_win_paid"]);

let house = null;
let floor = null;
let wins = null;
let stale = false;

const may = (tag) => house.rights[tag].roles.includes(data.who.role);
const suspended = (what, id) => house.suspended.includes(`${what}/${id}`);
const linkName = (id) => house.links.find((one) => one.id === id)?.name ?? id;
const claims = () => house.links.flatMap((link) => link.claims.map((claim) => ({ ...claim, link })));

// ------------------------------------------------------------------------------------------------ orders

/** Something that is shown this once. */
function tell(title, ...children) {
  const dialog = h("dialog", { "aria-label": title, onclose: () => dialog.remove() }, h("div", { class: "stack" }, h("h2", {}, title), children,
    h("button", { class: "button main big", type: "button", onclick: () => dialog.close() }, t("written_down"))));
  document.body.append(dialog);
  dialog.showModal();
}

/** Whole cents of what was typed into a field. */
function amount(given, name) {
  const typed = cents(given[name]);
  if (Number.isNaN(typed)) throw new Refused({ detail: t("no_amount"), field: name }, 422);
  return typed;
}

const text = (more = {}) => h("input", { autocomplete: "off", ...more });

function choice(choices, onchange = null) {
  return h("select", { onchange }, choices.map(([value, words]) => h("option", { value }, words)));
}

function suspend(what, id, name) {
  ask({ title: t("suspend_title", { name }), more: [h("p", {}, t(`suspend_words.${what}`)), field("why", t("why"), text())], press: t("suspend"), path: "floor/suspend", body: ({ why }) => ({ what, id, why }), may: true });
}

const resume = (what, id) => pressing(() => order("floor/resume", { what, id }));

const acknowledge = (alarm) => pressing(() => order("floor/acknowledge", { alarm }));

function seed(link, meter) {
  const words = t("seed_words", { amount: dollars(house.terms[link.id][meter.meter].seed_cents) });
  ask({ title: t("seed_title", { link: link.name, meter: spoken(meter.meter) }), more: [h("p", {}, words)], press: t("seed"), path: "links/seed-meter", body: { link: link.id, meter: meter.meter }, may: true });
}

function takeOver(link, meter) {
  const form = h("div", { class: "stack" }, h("p", {}, t("take_over_words")),
    field("meter_cents", t("take_over_fields.meter_cents"), text({ inputmode: "decimal" })), field("reserve_cents", t("take_over_fields.reserve_cents"), text({ inputmode: "decimal" })), field("reference", t("take_over_fields.reference"), text()),
    h("h3", {}, t("second_person", { roles: house.rights.open_meter.seconds.map((role) => t(`roles.${role}`)).join(", ") })));
  withCard(t("take_over_title", { link: link.name, meter: spoken(meter.meter) }), "links/open-meter", () => {
    const given = values(form);
    return { link: link.id, meter: meter.meter, meter_cents: amount(given, "meter_cents"), reserve_cents: amount(given, "reserve_cents"), reference: given.reference };
  }, "second", form);
}

function enterAccount(link) {
  ask({
    title: t("account_title", { link: link.name }), press: t("enter_balance"), path: "links/enter-account", may: true,
    more: [h("p", {}, t("account_words")), field("balance_cents", t("balance"), text({ inputmode: "decimal" })), field("short", t("is_short"), text({ type: "checkbox" })), field("reference", t("reference"), text(), t("reference_hint"))],
    body: (given) => ({ link: link.id, balance_cents: amount(given, "balance_cents"), short: given.short, reference: given.reference }),
  });
}

const SUBJECTS = {
  display: () => house.links.map((link) => [link.id, `${link.name} (${link.id})`]),
  sensor: () => floor.tables.map((table) => [table.id, `${table.id} · ${gameName(table.game)}`]),
  casino: () => [["", t("whole_floor")]],
};

const issue = pressing(async () => {
  const subject = choice(SUBJECTS.display());
  const right = choice(Object.keys(SUBJECTS).map((one) => [one, t(`right.${one}`)]), (event) => subject.replaceChildren(...choice(SUBJECTS[event.target.value]()).children));
  const device = text();
  const answer = await ask({
    title: t("issue_title"), press: t("issue"), path: "devices/issue-device", may: true, body: (given) => given,
    more: [h("p", {}, t("issue_words")), field("device", t("device_name"), device, t("device_hint")), field("right", t("device_right"), right), field("subject", t("device_subject"), subject)],
  });
  if (answer) issued({ device: device.value, right: right.value, subject: subject.value }, answer.token);
});

function issued(device, token) {
  const address = `${location.origin}/display/${encodeURIComponent(device.subject)}#token=${token}`;
  const shown = (words, value) => h("label", {}, words, h("input", { value, readonly: true, onfocus: (event) => event.target.select() }));
  tell(t("issued_title", { device: device.device }), h("p", {}, t("shown_once")), device.right === "display" ? shown(t("address"), address) : h("p", {}, t(`token_use.${device.right}`)), shown(t("token"), token));
}

function revoke(device) {
  ask({ title: t("revoke_title", { device: device.id }), more: [h("p", {}, t("revoke_words")), field("reason", t("reason"), text())], press: t("revoke"), path: "devices/revoke-device", body: ({ reason }) => ({ device: device.id, reason }), may: true, danger: true });
}

/** Confirm the clock, or put the floor's time right: what is shown and sent is what the clock shows at the press. */
const setClock = pressing(async () => {
  house = await get("manager");
  draw();
  if (!house.clock.doubt) return;
  const repair = house.clock.behind;
  const form = h("div", { class: "stack" }, h("p", {}, t(repair ? "repair_clock_words" : "confirm_clock_words", times())),
    repair ? field("reason", t("reason"), text()) : null, h("p", {}, t("two_people", { name: data.who.name })));
  const clock_seconds = Math.floor(house.clock.shows / 1e6);
  await withCard(t(repair ? "repair_clock" : "confirm_clock"), repair ? "floor/repair-clock" : "floor/confirm-clock", () => ({ clock_seconds, ...values(form) }), "second", form);
});

const times = () => ({ shows: dateAndTime(house.clock.shows), now: dateAndTime(house.clock.now) });

// ------------------------------------------------------------------------------------------------ what is shown

function strip() {
  const figures = [
    ["alarms", house.alarms.length, house.alarms.length ? "bad" : ""],
    ["claims", claims().length, claims().length ? "warn" : ""],
    ["shut", floor.tables.filter((table) => table.stops.length || table.malfunction).length, ""],
    ["playing", floor.tables.filter((table) => table.locked).length, ""],
    ["signed_in", house.signed_in, ""],
  ];
  return h("dl", { class: `strip ${stale ? "stale" : ""}` }, figures.map(([name, count, kind]) => h("div", { class: kind, key: name }, h("dt", {}, t(`strip.${name}`)), h("dd", {}, count))),
    h("div", { class: "as-of", key: "as-of" }, h("dt", {}, stale ? t("stale") : t("as_of")), h("dd", {}, clock(house.at), " ", h("small", {}, t("entry", { entry: house.entry })))));
}

function doubtedClock() {
  if (!house.clock.doubt) return null;
  const repair = house.clock.behind;
  return h("section", { class: "panel needs", key: "clock" }, h("h2", {}, t("clock_title")), h("ul", { class: "plain" }, h("li", { class: "need" },
    h("strong", {}, t("clock_shows", times())), h("span", {}, t("floor_goes_by", times())), h("small", {}, t(house.clock.stops ? "clock_stops" : "clock_goes_on")),
    may("confirm_clock") ? h("button", { class: "button main", type: "button", onclick: setClock }, t(repair ? "repair_clock" : "confirm_clock")) : null)),
    h("p", { class: "quiet" }, t(repair ? "clock_or_repair" : "clock_or_confirm")));
}

function alarms() {
  if (!house.alarms.length) return null;
  return h("section", { class: "panel needs", key: "alarms" }, h("h2", {}, t("alarms")), h("ul", { class: "plain" }, house.alarms.map((alarm) => h("li", { class: "need", key: String(alarm.alarm) },
    h("strong", {}, alarm.link ? linkName(alarm.link) : t("floor")), h("span", {}, alarm.text), h("small", {}, dateAndTime(alarm.at)),
    may("acknowledge") ? h("button", { class: "button", type: "button", "aria-label": t("acknowledge_alarm", { alarm: alarm.text }), onclick: acknowledge(alarm.alarm) }, t("acknowledge")) : null))));
}

function openClaims() {
  const open = claims();
  return h("section", { class: "panel", key: "claims" }, h("h2", {}, t("open_claims")), open.length ? h("ul", { class: "plain" }, open.map((claim) => h("li", { class: "need claim", key: `${claim.table}/${claim.round}/${claim.spot}` },
    h("strong", {}, `${claim.table} · ${t("spot")} ${claim.spot}`),
    h("span", {}, `${spoken(claim.hand)}, ${claim.meter ? `${claim.link.name} ${claim.link.meters.length > 1 ? spoken(claim.meter) : ""}` : t("from_tray")}`),
    claim.turn > 1 ? h("small", {}, t("turn", { turn: claim.turn })) : null,
    claim.at_j_pot ? h("small", {}, t("at_j_pot")) : null,
    money(claim.due_cents, { class: "figure-small" })))) : h("p", { class: "quiet" }, t("no_claims")));
}

function confirmed() {
  if (!wins) return null;
  return h("section", { class: "panel", key: "wins" }, h("div", { class: "spread" }, h("h2", {}, t("wins")), h("a", { href: "/manager/wins" }, t("all_wins"))),
    wins.length ? h("ul", { class: "plain" }, wins.map((win) => h("li", { class: `need win ${win.state}`, key: String(win.win) },
      winLink(win.win, t("win_page", { win: win.win })),
      h("strong", {}, `${win.table} · ${t("spot")} ${win.spot}`), h("span", {}, spoken(win.hand)), h("small", {}, dateAndTime(win.at)),
      h("span", { class: `tag ${win.state === "paid" ? "good" : win.state === "undone" ? "bad" : "warn"}` }, t(`win_state.${win.state}`)),
      money(win.cents, { class: "figure-small" })))) : h("p", { class: "quiet" }, t("no_wins")));
}

function meters() {
  const head = h("tr", {}, ["link", "meter", "amount", "reserve", "wager", "tables", "state"].map((name) => h("th", { scope: "col", class: ["amount", "reserve", "wager"].includes(name) ? "money" : null }, t(`column.${name}`))));
  return h("section", { class: "panel", key: "meters" }, h("h2", {}, t("meters")), house.links.length ? h("div", { class: "scroll" }, h("table", { class: "meters" }, h("thead", {}, head),
    house.links.map((link) => h("tbody", { key: link.id }, link.meters.map((meter, number) => h("tr", { key: meter.meter, class: meter.retired ? "gone" : null },
      number ? null : h("th", { scope: "rowgroup", rowspan: link.meters.length }, h("span", { class: "link-name" }, link.name), h("small", {}, `${link.id} · ${t("pay_table", { table: link.pay_table })}`)),
      h("td", {}, link.meters.length > 1 || meter.meter !== "main" ? spoken(meter.meter) : t("jackpot")),
      h("td", { class: "money" }, meter.opened ? money(meter.cents, { class: "meter" }) : meter.retired ? t("retired") : opening(link, meter)),
      h("td", { class: "money" }, dollars(meter.reserve_cents)),
      number ? null : h("td", { class: "money", rowspan: link.meters.length }, dollars(link.wager_cents)),
      number ? null : h("td", { class: "names", rowspan: link.meters.length }, link.tables.map((table) => h("span", {}, table))),
      number ? null : h("td", { rowspan: link.meters.length }, linkState(link)))))))) : h("p", { class: "empty" }, t("no_links")));
}

function opening(link, meter) {
  const buttons = [
    may("seed_meter") ? h("button", { class: "button main", type: "button", onclick: () => seed(link, meter) }, t("seed")) : null,
    may("open_meter") ? h("button", { class: "button", type: "button", onclick: () => takeOver(link, meter) }, t("take_over")) : null,
  ];
  return h("div", { class: "row end" }, h("span", { class: "warn" }, t("not_opened")), buttons);
}

function linkState(link) {
  return h("div", { class: "state" }, h("span", { class: `tag ${link.stops.length ? "bad" : "good"}` }, link.stops.length ? t("state.shut") : t("state.open")),
    link.stops.map((why) => h("small", { class: "bad" }, why)), holding("link", link.id, link.name));
}

/** The button that suspends, or lets go on. */
function holding(what, id, name) {
  if (suspended(what, id)) {
    return may("resume") ? h("button", { class: "button", type: "button", key: "resume", "aria-label": t("resume_one", { name }), onclick: resume(what, id) }, t("resume")) : null;
  }
  return may("suspend") ? h("button", { class: "button quiet", type: "button", key: "suspend", "aria-label": t("suspend_title", { name }), onclick: () => suspend(what, id, name) }, t("suspend")) : null;
}

function tableState(table) {
  if (table.malfunction) return ["bad", t("state.malfunction")];
  if (table.stops.length) return ["bad", t("state.shut")];
  if (claims().some((claim) => claim.table === table.id)) return ["warn", t("state.claim")];
  if (house.links.some((link) => link.id === table.link && link.stops.length)) return ["bad", t("state.link_shut")];
  if (table.locked) return ["good", t("state.playing", { spots: table.lit.length })];
  return ["", t("state.waiting")];
}

function tables() {
  return h("section", { key: "tables" }, h("h2", {}, t("tables")), floor.tables.length ? h("div", { class: "grid tables" }, floor.tables.map((table) => {
    const [kind, words] = tableState(table);
    return h("article", { class: "panel", key: table.id },
      h("div", { class: "spread" }, h("h3", {}, h("a", { href: `/table/${encodeURIComponent(table.id)}` }, table.id)), h("span", { class: `tag ${kind}` }, words)),
      h("p", {}, gameName(table.game), h("br", {}), h("small", {}, `${t(`kind.${table.kind}`)} · ${table.link ? linkName(table.link) : t("no_link")} · ${t("round")} ${table.round}`)),
      table.stops.map((why) => h("p", { class: "bad" }, why)),
      table.wins.map((win) => h("p", { class: "good" }, `${t("spot")} ${win.spot}: ${spoken(win.hand)} `, money(win.cents))),
      h("div", { class: "row end" }, holding("table", table.id, table.id)));
  })) : h("p", { class: "empty" }, t("empty")));
}

function accounts() {
  return h("section", { class: "panel", key: "accounts" }, h("h2", {}, t("accounts")), h("p", { class: "quiet" }, t("accounts_words")), h("ul", { class: "plain" }, house.links.map((link) => {
    const account = house.accounts[link.id];
    return h("li", { class: "need", key: link.id }, h("strong", {}, link.name),
      account ? [money(account.balance_cents), h("span", { class: `tag ${account.short ? "bad" : "good"}` }, account.short ? t("short") : t("covered")), h("small", {}, `${account.reference}, ${dateAndTime(account.at)}`)]
        : h("small", {}, t("never_entered")),
      may("enter_account") ? h("button", { class: "button", type: "button", "aria-label": t("account_title", { link: link.name }), onclick: () => enterAccount(link) }, t("enter_balance")) : null);
  })));
}

function devices() {
  const order = [...house.devices].sort((one, other) => Number(other.active) - Number(one.active));
  return h("section", { class: "panel", key: "devices" }, h("div", { class: "spread" }, h("h2", {}, t("devices")),
    may("issue_device") ? h("button", { class: "button main", type: "button", onclick: issue }, t("issue")) : null),
    order.length ? h("ul", { class: "plain" }, order.map((device) => h("li", { class: "need", key: device.id },
      h("strong", {}, device.id), h("span", {}, `${t(`right.${device.right}`)}${device.subject ? ` · ${device.subject}` : ""}`),
      h("span", { class: `tag ${device.active ? "good" : ""}` }, device.active ? t("active") : t("revoked")),
      device.active && may("revoke_device") ? h("button", { class: "button danger", type: "button", "aria-label": t("revoke_title", { device: device.id }), onclick: () => revoke(device) }, t("revoke")) : null)))
      : h("p", { class: "quiet" }, t("no_devices")));
}

function draw() {
  if (!house || !floor) return;
  main(h("h1", { class: "unseen", key: "h1" }, t("title")), strip(), doubtedClock(), alarms(),
    h("div", { class: `monitor ${stale ? "stale" : ""}`, key: "monitor" }, h("div", { class: "now", key: "now" }, openClaims(), confirmed()), meters()),
    tables(), h("div", { class: "monitor even", key: "rest" }, accounts(), devices()));
}

async function loadWins() {
  try {
    wins = (await get("wins", { limit: WINS_SHOWN })).items;
  } catch (refused) {
    // Who may not read the wins sees the rest.
    if (!(refused instanceof Refused) || refused.status !== 403) throw refused;
  }
  draw();
}

async function begin() {
  [house, floor] = await Promise.all([get("manager"), get("floor")]);
  draw();
  await loadWins();
  watch(["manager", "floor"], {
    view(subject, now) {
      if (subject === "manager") house = now;
      else floor = now;
      draw();
    },
    step(subject, step) {
      if (subject === "manager" && wins && step.events.some((event) => OF_WINS.has(event.type))) loadWins().catch(complain);
    },
    lost(how) {
      stale = how === "gone";
      draw();
    },
    back() {
      stale = false;
      draw();
      if (wins) loadWins().catch(complain);
    },
  });
}

begin().catch((error) => {
  if (!(error instanceof Refused)) console.error(error);
  main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", { class: "bad" }, error.message),
    h("button", { class: "button main", type: "button", onclick: () => location.reload() }, t("retry"))));
});
