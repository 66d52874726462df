// The supervisor: every open claim of the floor with all there is to know of it, in the order in which it must be confirmed.

import { complain, get, order, post, pressing } from "../api.js";
import { ask, field } from "../ask.js";
import { board } from "../board.js";
import { h, main, show } from "../dom.js";
import { evidence } from "../evidence.js";
import { watch } from "../live.js";
import { winLink } from "../money-bag.js";
import { dollars, money } from "../money.js";
import { clock, data, gameName, spoken, t } from "../page.js";
import { roads, shoe } from "../roads.js";

const MOST_TABLES = 60;
let floor = null;
let watched = "";
let stopWatching = () => {};
let ahead = 0;
const docs = new Map();
const tried = new Map();
const known = new Set();

const at = (table, command) => `tables/${encodeURIComponent(table)}/${command.replaceAll("_", "-")}`;
const keyOf = (claim) => `${claim.table}/${claim.round}/${claim.spot}`;
const words = (claim) => ({ table: claim.table, spot: claim.spot, hand: claim.hand_words, amount: dollars(claim.due_cents) });

// ------------------------------------------------------------------------------------------------------ what stands where

/** Every claim, meter by meter, in the order in which they must be confirmed; the meter that waits longest first. */
function groups() {
  const found = new Map();
  for (const doc of docs.values()) {
    for (const claim of doc.claims) {
      const name = `${claim.link}/${claim.meter}`;
      if (!found.has(name)) found.set(name, []);
      found.get(name).push(claim);
    }
  }
  const every = [...found.values()];
  for (const claims of every) claims.sort((a, b) => a.turn - b.turn || a.named_at - b.named_at);
  return every.sort((a, b) => Math.min(...a.map((one) => one.named_at)) - Math.min(...b.map((one) => one.named_at)));
}

function press(doc, command, spot = 0) {
  return doc.presses.some((one) => one.command === command && (!spot || one.spots.includes(spot)));
}

// ------------------------------------------------------------------------------------------------------------------ time

function duration(micros) {
  const seconds = Math.max(0, Math.floor(micros / 1_000_000));
  const two = (number) => String(number).padStart(2, "0");
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds >= 3600 ? `${Math.floor(seconds / 3600)}:${rest}` : rest;
}

/** The house's time now: never before the last thing that the house told of. */
function now() {
  return Date.now() * 1000 + ahead;
}

function running(since) {
  return h("span", { class: "running-time money", role: "timer", "data-since": since }, duration(now() - since));
}

setInterval(() => {
  for (const one of document.querySelectorAll("[data-since]")) one.textContent = duration(now() - Number(one.dataset.since));
}, 1_000);

// --------------------------------------------------------------------------------------------------------------- a claim

function row(claim) {
  const pays = claim.percent ? t("row.percent", { percent: claim.percent, meter: spoken(claim.meter) })
    : t(claim.meter ? "row.fixed_meter" : "row.fixed_tray", { amount: dollars(claim.fixed_cents), meter: spoken(claim.meter) });
  return h("p", { class: "pay-row" }, h("strong", {}, `${claim.hand_words}: ${pays}`), h("small", {}, t("row.table", { table: claim.pay_table, wager: dollars(claim.wager_cents) })));
}

function named(doc, claim) {
  const called = doc.progressive.called_at;
  return h("dl", { class: "facts" },
    h("div", {}, h("dt", {}, t("named_by")), h("dd", {}, claim.named_by_name, h("small", {}, t("named_at", { time: clock(claim.named_at) })))),
    h("div", {}, h("dt", {}, t("since_call")), h("dd", {}, running(called || claim.named_at))),
    doc.progressive.arrived_at ? h("div", {}, h("dt", {}, t("arrived_label")), h("dd", {}, t("arrived_after", { time: duration(doc.progressive.arrived_at - called) }))) : null);
}

function flags(claim) {
  return h("ul", { class: "plain claim-flags" },
    claim.executive ? h("li", { class: "tag warn" }, t("flags.executive", { from: dollars(claim.executive_from_cents) })) : null,
    claim.surveillance ? h("li", { class: "tag warn" }, t("flags.surveillance")) : null,
    claim.tax_form ? h("li", { class: "tag warn" }, t("flags.tax_form")) : null,
    claim.shortfall_cents ? h("li", { class: "tag bad" }, t("flags.shortfall", { amount: dollars(claim.shortfall_cents) })) : null);
}

/** PR-17, PR-32: why this one must wait, one line for each that comes before it. */
function waits(claim) {
  return h("div", { class: "claim-waits", role: "note", id: `waits-${keyOf(claim)}` }, h("strong", {}, t("waits.title", { turn: claim.turn })),
    h("ol", {}, claim.waits_for.map((one) => h("li", {}, t("waits.for", { table: one.table, spot: one.spot, hand: spoken(one.hand) }), " ", why(claim, one)))),
    h("small", {}, t("waits.amount")));
}

function why(claim, before) {
  if (before.why !== "order") return t(`waits.${before.why}`, { table: before.table });
  if (claim.award_order === "right_to_left") return t("waits.right_to_left", { spot: before.spot });
  return t(claim.award_order === "list" ? "waits.list" : "waits.left_to_right", { spot: before.spot, order: claim.award_order_spots.join(", "), reference: claim.award_order_reference });
}

// ----------------------------------------------------------------------------------------------------- what can be pressed

function summary(claim) {
  return [h("p", { class: "figure money accented" }, dollars(claim.due_cents)), h("p", {}, t("recording.what", words(claim))), row(claim),
    claim.surveillance ? h("p", { class: "warn" }, t("recording.surveillance")) : null, claim.tax_form ? h("p", { class: "warn" }, t("recording.tax_form")) : null];
}

/** CONFIRM, J-POT or RUN: with the card that is signed in, or with another's. */
async function record(doc, claim, own) {
  const command = claim.next_press;
  const answer = await ask({
    title: t(`recording.${command}`, words(claim)), more: summary(claim), press: t(`recording.press_${command}`, words(claim)),
    path: at(claim.table, command), body: command === "run" ? { round: claim.round } : { round: claim.round, spot: claim.spot }, may: own,
  });
  if (answer) announce(t(`recording.done_${command}`, words(claim)));
}

function confirming(doc, claim) {
  const command = claim.next_press;
  const label = t(`press.${command}`);
  if (claim.waits_for.length) return [h("button", { class: "button main big", type: "button", disabled: true, "aria-describedby": `waits-${keyOf(claim)}` }, label)];
  if (!press(doc, command, command === "run" ? 0 : claim.spot)) return [h("p", { class: "unseen-cards" }, t("only_supervisors"))];
  const own = tried.get(trialOf(doc, claim));
  if (!own) return [h("button", { class: "button main big", type: "button", disabled: true }, label)];
  if (own.ok) {
    return [h("button", { class: "button main big", type: "button", onclick: pressing(() => record(doc, claim, true)) }, label),
      h("button", { class: "button", type: "button", onclick: pressing(() => record(doc, claim, false)) }, t("press.other_card"))];
  }
  const card = claim.executive ? t("press.executive_card", { label }) : t("press.supervisor_card", { label });
  return [h("button", { class: "button main big", type: "button", onclick: pressing(() => record(doc, claim, false)) }, card),
    h("p", { class: "refused-why", role: "note" }, t("own_card"), " ", own.sentence)];
}

function arriving(doc, claim) {
  if (!press(doc, "arrive")) return null;
  const path = at(claim.table, "arrive");
  return h("button", { class: "button big", type: "button", onclick: pressing(() => (doc.may.includes("arrive") ? order(path, { round: claim.round })
    : ask({ title: t("press.arrive"), path, body: { round: claim.round }, may: false }))) }, t("press.arrive"));
}

function dropping(doc, claim) {
  if (!press(doc, "drop_claim", claim.spot)) return null;
  return h("button", { class: "button danger", type: "button", onclick: pressing(async () => {
    const reason = h("textarea", { required: true, maxlength: 400 });
    await ask({ title: t("drop.title", words(claim)), more: [h("p", {}, t("drop.words")), field("reason", t("drop.reason"), reason)], press: t("drop.press"),
      path: at(claim.table, "drop_claim"), body: (given) => ({ round: claim.round, spot: claim.spot, reason: given.reason }), may: doc.may.includes("drop_claim"), danger: true });
  }) }, t("press.drop"));
}

function claimCard(claim) {
  const doc = docs.get(claim.table);
  const [leading] = doc.claims;
  return h("article", { class: `panel claim-card ${claim.waits_for.length ? "later" : "now"}`, key: keyOf(claim), "aria-label": t("claim_label", words(claim)) },
    h("div", { class: "claim-what" },
      h("div", { class: "claim-place" }, h("span", { class: "claim-turn", "aria-label": t("turn", { turn: claim.turn }) }, String(claim.turn)),
        h("div", {}, h("h3", {}, t("claim_place", words(claim))), h("small", {}, t("claim_round", { game: gameName(doc.game), round: claim.round, console: t(`console.${doc.console}`) })))),
      h("p", { class: "claim-hand" }, claim.hand_words),
      evidence(doc, claim.spot, claim.hand_words)),
    h("div", { class: "claim-amount" },
      h("p", { class: "figure money accented" }, dollars(claim.due_cents)),
      row(claim), flags(claim), named(doc, claim)),
    h("div", { class: "claim-presses" }, claim.next_press === "confirm" ? null : steps(claim), claim === leading ? arriving(doc, claim) : null, confirming(doc, claim), dropping(doc, claim)),
    claim.waits_for.length ? waits(claim) : null);
}

/** PR-16: on the keypad a win is recorded in two steps. */
function steps(claim) {
  const fixed = claim.next_press === "run";
  return h("ol", { class: "plain keypad-steps", "aria-label": t("steps.label") },
    h("li", { "aria-current": fixed ? null : "step", class: fixed ? "step-done" : "" }, t("steps.j_pot")),
    h("li", { "aria-current": fixed ? "step" : null }, t("steps.run")));
}

function group(claims) {
  const [first] = claims;
  const key = `${first.link}/${first.meter}`;
  return h("section", { class: "claim-group", key, "aria-label": t("group_label", { link: first.link_name }) },
    h("div", { class: "spread" }, h("h2", {}, first.link_name, " ", h("small", {}, first.meter ? t("meter_named", { meter: spoken(first.meter) }) : t("from_tray"))),
      first.meter ? h("span", {}, t("held"), " ", money(first.held_cents, { class: "meter" })) : null),
    claims.length > 1 && first.meter ? h("p", { class: "order-note", role: "note" }, t("order_note", { count: claims.length })) : null,
    claims.map(claimCard));
}

// ---------------------------------------------------------------------------------------------- what is recorded already

function wins() {
  const found = [...docs.values()].flatMap((doc) => (doc.progressive?.wins ?? []).map((win) => recorded(doc, win)));
  const others = [...docs.values()].flatMap((doc) => doc.to_verify.filter((one) => !one.win).map((one) => large(doc, one)));
  if (!found.length && !others.length) return null;
  return h("section", { key: "wins" }, h("h2", {}, t("recorded.title")), h("div", { class: "stack" }, found, others));
}

function recorded(doc, win) {
  return h("article", { class: "panel recorded-win", key: `win${win.number}`, "aria-label": t("recorded.label", { win: win.number }) },
    winLink(win.number, t("recorded.open", { win: win.number })),
    h("div", { class: "grow" }, h("strong", {}, t("recorded.what", { table: doc.table, spot: win.spot, hand: spoken(win.hand) })),
      h("div", { class: "row" }, h("span", { class: `tag ${win.paid ? "good" : "warn"}` }, t(win.paid ? "recorded.paid" : "recorded.at_j_pot")),
        win.surveillance ? h("span", { class: `tag ${win.verified ? "good" : "warn"}` }, t(win.verified ? "recorded.verified" : "recorded.to_verify")) : null,
        win.tax_form ? h("span", { class: "tag warn" }, t("flags.tax_form")) : null)),
    h("span", { class: "figure money" }, dollars(win.cents)));
}

function large(doc, one) {
  return h("article", { class: "panel recorded-win", key: `${doc.table}/${one.spot}/${one.wager}` },
    h("div", { class: "grow" }, h("strong", {}, t("recorded.what", { table: doc.table, spot: one.spot, hand: spoken(one.wager) })),
      h("div", { class: "row" }, h("span", { class: "tag warn" }, t("recorded.to_verify")))),
    h("span", { class: "figure money" }, dollars(one.cents)));
}

// ------------------------------------------------------------------------------------------------ counts and void rounds

function tables() {
  return h("section", { key: "tables" }, h("h2", {}, t("rounds.title")), h("p", {}, h("small", {}, t("rounds.words"))),
    h("div", { class: "grid tables-grid" }, floor.tables.map((one) => h("button", {
      class: `button table-button ${one.locked ? "locked" : ""}`, type: "button", key: one.id, onclick: pressing(() => openTable(one.id)),
    }, h("strong", {}, one.id), h("small", {}, one.locked ? t("rounds.in", { round: one.round, count: one.lit.length }) : t("rounds.none", { round: one.round }))))));
}

async function openTable(name) {
  const doc = await get(`tables/${encodeURIComponent(name)}`);
  const body = h("div", { class: "stack" });
  const close = h("button", { class: "button big", type: "button", onclick: () => dialog.close() }, t("close"));
  const dialog = h("dialog", { "aria-label": t("rounds.dialog", { table: name }), onclose: () => dialog.remove() },
    h("h2", {}, t("rounds.dialog", { table: name })), body, close);
  show(body, h("p", {}, `${gameName(doc.game)} · ${t("round")} ${doc.progressive?.round ?? doc.play?.round ?? ""}`),
    cardsOf(doc.play), await counting(doc, dialog), await voiding(doc, dialog), h("a", { class: "button", href: `/table/${encodeURIComponent(name)}` }, t("rounds.to_table")));
  document.body.append(dialog);
  dialog.showModal();
  close.focus();
}

/** What lies on the board, and what every spot did so far. */
function cardsOf(play) {
  if (!play?.spots.length) return null;
  return h("section", { class: "panel" }, board(play), shoe(play), roads(play),
    h("ul", { class: "plain" }, play.spots.map((one) => h("li", { key: `did-${one.spot}` }, h("strong", {}, `${t("spot")} ${one.spot}`), one.player ? ` · ${one.player}` : "", one.actions.length ? `: ${one.actions.join(" · ")}` : "", one.deciding ? " …" : ""))));
}

async function refusal(doc, type, body) {
  const answer = await post(`tables/${encodeURIComponent(doc.table)}/try`, { type, order: body });
  return h("p", { class: "refused-why" }, answer.ok ? t("only_supervisors") : answer.sentence);
}

/** PR-35: before the first card. */
async function counting(doc, dialog) {
  const heading = h("h3", {}, t("count.title"));
  const allowed = doc.presses.find((one) => one.command === "correct_count")?.spots ?? [];
  if (!allowed.length) return h("section", { class: "panel" }, heading, await refusal(doc, "correct_count", { spot: 1, wagered: true, reason: "-" }));
  const booked = doc.progressive.booked;
  return h("section", { class: "panel" }, heading, h("p", {}, t("count.words")),
    h("div", { class: "row" }, Array.from({ length: doc.spots }, (_, place) => place + 1).map((spot) => {
      const inside = booked.includes(spot);
      return h("button", { class: "button", type: "button", "aria-pressed": String(inside), disabled: !allowed.includes(spot), "aria-label": t(inside ? "count.is_in" : "count.is_out", { spot }), onclick: pressing(async () => {
        dialog.close();
        const reason = h("textarea", { required: true, maxlength: 400 });
        await ask({ title: t(inside ? "count.take_out" : "count.put_in", { table: doc.table, spot }), more: [field("reason", t("count.reason"), reason)], press: t("count.press"),
          path: at(doc.table, "correct_count"), body: (given) => ({ round: doc.progressive.round, spot, wagered: !inside, reason: given.reason }), may: doc.may.includes("correct_count") });
      }) }, String(spot));
    })));
}

/** PR-20, FL-12. */
async function voiding(doc, dialog) {
  const heading = h("h3", {}, t("void.title"));
  if (!press(doc, "void_round")) return h("section", { class: "panel" }, heading, await refusal(doc, "void_round", { cause: "-" }));
  return h("section", { class: "panel" }, heading, h("p", {}, t("void.words")),
    h("button", { class: "button danger", type: "button", onclick: pressing(async () => {
      dialog.close();
      const cause = h("textarea", { required: true, maxlength: 400 });
      const malfunction = h("input", { type: "checkbox", checked: Boolean(doc.malfunction) });
      const round = doc.progressive?.round ?? doc.play?.round ?? 0;
      const answer = await ask({ title: t("void.ask", { table: doc.table, round }), press: t("void.press"), danger: true,
        more: [h("p", {}, t("void.words")), field("cause", t("void.cause"), cause), field("malfunction", t("void.malfunction"), malfunction, t("void.malfunction_hint"))],
        path: at(doc.table, "void_round"), body: (given) => ({ round, cause: given.cause, malfunction: given.malfunction }), may: doc.may.includes("void_round"), second: doc.takes_second.includes("void_round") });
      if (answer) announce(t("void.done", { table: doc.table, round }));
    }) }, t("void.open")));
}

// -------------------------------------------------------------------------------------------------------------- the page

let told = "";

function announce(sentence) {
  told = sentence;
  draw();
}

function draw() {
  const every = groups();
  const claims = every.flat();
  for (const claim of claims) {
    if (!known.has(keyOf(claim))) told = t("new_claim", words(claim));
    known.add(keyOf(claim));
  }
  document.title = `${claims.length ? `(${claims.length}) ` : ""}${t("title")} · ${data.site}`;
  main(h("div", { class: "spread page-head" }, h("h1", {}, t("title")), h("span", { class: `tag ${claims.length ? "warn" : "good"}` }, t("open_count", { count: claims.length }))),
    h("p", { class: "unseen", role: "status", "aria-live": "polite" }, told),
    claims.length ? every.map(group) : h("section", { class: "panel quiet-floor", key: "quiet" }, h("h2", {}, t("quiet.title")), h("p", {}, t("quiet.words"))),
    wins(), tables());
  for (const claim of claims) trial(docs.get(claim.table), claim);
}

const trialOf = (doc, claim) => `${keyOf(claim)}/${claim.next_press}/${claim.due_cents}/${claim.turn}`;

/** Whether the card that is signed in would do, asked before it is pressed. */
async function trial(doc, claim) {
  const key = trialOf(doc, claim);
  if (claim.waits_for.length || tried.has(key) || !press(doc, claim.next_press, claim.next_press === "run" ? 0 : claim.spot)) return;
  tried.set(key, null);
  try {
    tried.set(key, await post(`tables/${encodeURIComponent(claim.table)}/try`, { type: claim.next_press, order: claim.next_press === "run" ? {} : { spot: claim.spot } }));
  } catch (error) {
    tried.delete(key);
    throw error;
  }
  draw();
}

function interesting() {
  const claimed = new Set(floor.needs.filter((need) => need.what === "claim").map((need) => need.table));
  return floor.tables.filter((one) => claimed.has(one.id) || one.called_at || one.wins.length || (one.kind !== "progressive" && one.locked)).map((one) => one.id).slice(0, MOST_TABLES);
}

function follow() {
  const names = interesting();
  if (names.join("\n") === watched) return;
  watched = names.join("\n");
  stopWatching();
  stopWatching = () => {};
  for (const name of [...docs.keys()]) if (!names.includes(name)) docs.delete(name);
  if (!names.length) return;
  stopWatching = watch(names.map((name) => `table/${name}`), {
    view(subject, view) {
      docs.set(view.table, view);
      draw();
    },
  });
}

function take(view) {
  floor = view;
  ahead = Math.max(ahead, view.at - Date.now() * 1000);
  follow();
  draw();
}

async function begin() {
  take(await get("floor"));
  watch(["floor"], { view: (subject, view) => take(view) });
}

begin().catch(complain);
