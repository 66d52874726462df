// Adjustments: what two people put right at the Game Manager, and the forms for it.

import { complain, get, pressing } from "../api.js";
import { field, values } from "../ask.js";
import { h, main, show } from "../dom.js";
import { watch } from "../live.js";
import { winLink } from "../money-bag.js";
import { cents, dollars, exact } from "../money.js";
import { data, dateAndTime, spoken, t } from "../page.js";
import { withCard } from "../people.js";

const A_PAGE = 20;
const MOVES = new Set(["win_undone", "meter_adjusted", "late_win_paid", "meter_transferred"]);
const KINDS = ["undo_win", "adjust_meter", "pay_late_win", "transfer"];
const query = new URLSearchParams(location.search);
const mayAdjust = data.who.role === "manager";
let kind = query.get("win") || !KINDS.includes(query.get("kind")) ? "undo_win" : query.get("kind");
let floor = null;
let manager = null;
let items = [];
let next = null;
let loaded = false;
let done = null;

// -------------------------------------------------------------------------------------------------------- small fields

function option(value, label, selected = false) {
  return h("option", { value, selected }, label);
}

function words(name, label, hint = "") {
  return field(name, label, h("textarea", { required: true, maxlength: 1000, rows: 2 }), hint);
}

function reason() {
  return field("reason", t("reason"), h("select", { required: true }, option("", t("choose")), Object.entries(data.text.reasons).map(([name, label]) => option(name, label))), t("reason_hint"));
}

/** A link and one of its meters, with what that holds. */
function meterFields(link, meter, labels) {
  const holds = h("p", { class: "meter-holds", "aria-live": "polite" });
  const meters = h("select", { required: true, onchange: tell });
  const links = h("select", { required: true, onchange: fill }, option("", t("choose")), manager.links.map((one) => option(one.id, one.name)));

  function chosen() {
    return manager.links.find((one) => one.id === links.value);
  }

  function fill() {
    const found = chosen()?.meters ?? [];
    show(meters, found.length > 1 ? option("", t("choose")) : null, found.map((one) => option(one.meter, one.retired ? t("retired", { meter: spoken(one.meter) }) : spoken(one.meter))));
    meters.value = found.length === 1 ? found[0].meter : "";
    tell();
  }

  function tell() {
    const found = chosen()?.meters.find((one) => one.meter === meters.value);
    show(holds, found ? t("holds", { meter: dollars(found.cents), reserve: dollars(found.reserve_cents) }) : "");
  }

  fill();
  return [h("div", { class: "pair" }, field(link, labels[0], links), field(meter, labels[1], meters)), holds];
}

// ------------------------------------------------------------------------------------------------------------ the forms

/** PR-23. */
async function undoForm() {
  const about = h("div", { class: "about-win", "aria-live": "polite" });
  const wins = (await get("wins", { limit: 100 })).items.filter((one) => one.state === "paid");
  const number = h("input", { required: true, inputmode: "numeric", pattern: "[0-9]{1,18}", autocomplete: "off", list: "paid-wins", value: query.get("win") ?? "", oninput: look });

  function look() {
    const found = wins.find((one) => String(one.win) === number.value.trim());
    show(about, found ? [winLink(found.win, t("open_win", { win: found.win })), h("div", {}, h("strong", { class: "money" }, dollars(found.cents)), " ",
      t("win_words", { hand: spoken(found.hand), table: found.table, round: found.round, spot: found.spot }))]
      : h("small", {}, wins.length ? t("win_choose") : t("win_none")));
  }

  look();
  return made("undo_win", [field("win", t("win"), number), h("datalist", { id: "paid-wins" }, wins.map((one) => option(String(one.win), `${one.table} · ${spoken(one.hand)} · ${dollars(one.cents)}`))), about,
    reason(), words("explanation", t("explanation"))],
  (given) => ({ win: Number(given.win), reason: given.reason, explanation: given.explanation }), (given) => t("said.undo_win", given));
}

/** FL-15. */
function adjustForm() {
  return made("adjust_meter", [meterFields("link", "meter", [t("link"), t("meter")]),
    h("div", { class: "pair" },
      field("part", t("part"), h("select", {}, option("meter", t("parts.meter")), option("reserve", t("parts.reserve")))),
      field("way", t("way"), h("select", {}, option("fall", t("ways.fall")), option("rise", t("ways.rise"))))),
    field("cents", t("by_amount"), h("input", { required: true, inputmode: "decimal", autocomplete: "off", placeholder: "0.00" })),
    reason(), words("explanation", t("explanation"))],
  (given) => ({ link: given.link, meter: given.meter, part: given.part, cents: given.way === "rise" ? amount(given) : -amount(given), reason: given.reason, explanation: given.explanation }),
  (given) => t("said.adjust_meter", { link: linkName(given.link), meter: spoken(given.meter), part: t(`parts.${given.part}`), way: t(`ways.${given.way}`), amount: dollars(amount(given)) }));
}

function amount(given) {
  const found = cents(given.cents);
  if (!(found > 0)) throw new Wrong("cents", t("no_amount"));
  return found;
}

/** PR-36. */
function lateForm() {
  const hand = h("select", { required: true });
  const spot = h("select", { required: true });
  const rounds = h("datalist", { id: "rounds" });
  const number = h("input", { required: true, inputmode: "numeric", pattern: "[0-9]{1,9}", list: "rounds", autocomplete: "off" });
  const table = h("select", { required: true, onchange: pressing(fill) }, option("", t("choose")), floor.tables.filter((one) => one.link).map((one) => option(one.id, one.id)));

  async function fill() {
    show(hand);
    show(spot);
    show(rounds);
    if (!table.value) return;
    const path = `tables/${encodeURIComponent(table.value)}`;
    const [doc, closed] = await Promise.all([get(path), get(`${path}/rounds`, { limit: 50 })]);
    show(hand, option("", t("choose")), doc.hands.map((one) => option(one, spoken(one))));
    show(spot, option("", t("choose")), Array.from({ length: doc.spots }, (_, place) => option(String(place + 1), String(place + 1))));
    show(rounds, closed.items.filter((one) => one.state === "closed").map((one) => option(String(one.round), `${one.day}, ${dateAndTime(one.ended)}`)));
  }

  return made("pay_late_win", [h("div", { class: "pair" }, field("table", t("table"), table), field("round", t("round"), number, t("round_hint"))),
    h("div", { class: "pair" }, field("spot", t("spot"), spot), field("hand", t("hand"), hand)),
    words("evidence", t("evidence"), t("evidence_hint")),
    field("player", t("player"), h("input", { autocomplete: "off", maxlength: 200 }), t("large_hint"))],
  (given) => ({ ...given, round: Number(given.round), spot: Number(given.spot), reason: "won" }),
  (given) => t("said.pay_late_win", { ...given, hand: spoken(given.hand) }));
}

/** PR-26. */
function transferForm() {
  return made("transfer", [meterFields("link", "meter", [t("from_link"), t("from_meter")]), meterFields("to_link", "to_meter", [t("to_link"), t("to_meter")]),
    words("authority", t("authority"), t("authority_hint")), h("label", { class: "check-line" }, h("input", { type: "checkbox", name: "retire" }), t("retire"))],
  (given) => given,
  (given) => t("said.transfer", { meter: `${linkName(given.link)} · ${spoken(given.meter)}`, to: `${linkName(given.to_link)} · ${spoken(given.to_meter)}` }));
}

class Wrong extends Error {
  constructor(name, sentence) {
    super(sentence);
    this.field = name;
  }
}

/** A form whose order two people give: the one who is signed in, and another with card and PIN. */
function made(name, fields, body, said) {
  const form = h("form", { key: name, "data-own": true, onsubmit: pressing(async () => {
    for (const place of form.querySelectorAll("[data-field]")) place.textContent = "";
    const given = values(form);
    let order;
    let sentence;
    try {
      order = body(given);
      sentence = said(given);
    } catch (wrong) {
      if (!(wrong instanceof Wrong)) throw wrong;
      form.querySelector(`[data-field="${wrong.field}"]`).textContent = wrong.message;
      form.querySelector(`[name="${wrong.field}"]`).focus();
      return;
    }
    const path = `adjustments/${name.replaceAll("_", "-")}`;
    const answer = await withCard(t("second_title"), path, order, "second", h("div", { class: "stack" }, h("p", { class: "order-said" }, sentence), h("p", {}, t("second_words", { name: data.who.name }))));
    if (!answer) return;
    done = { entry: answer.entry, sentence, win: answer.events.find((event) => event.type === "late_win_paid")?.win ?? 0 };
    forms.delete(name);
    await Promise.all([load(), refresh()]);
    await choose(kind);
  }) }, fields, h("div", { class: "row" }, h("button", { class: "button main big", type: "submit" }, t(`press.${name}`))));
  return form;
}

const MAKE = { undo_win: undoForm, adjust_meter: adjustForm, pay_late_win: lateForm, transfer: transferForm };
const forms = new Map();

async function choose(name) {
  kind = name;
  if (mayAdjust && !forms.has(name)) forms.set(name, await MAKE[name]());
  draw();
}

// -------------------------------------------------------------------------------------------------- what was adjusted

function linkName(id) {
  return floor.links.find((one) => one.link === id)?.name ?? id;
}

function place(one) {
  const from = `${linkName(one.link)}${one.meter ? ` · ${spoken(one.meter)}` : ""}`;
  if (one.type === "meter_transferred") return t("from_to", { from, to: `${linkName(one.to_link)} · ${spoken(one.to_meter)}` });
  return one.table ? `${from} · ${t("at_table", { table: one.table, round: one.round, spot: one.spot })}` : from;
}

function adjustment(one) {
  return h("article", { class: "panel adjustment", key: `entry${one.entry}`, "aria-label": t("entry_label", { entry: one.entry }) },
    h("div", { class: "spread" }, h("h3", {}, t(`kinds.${one.type}`)), h("a", { href: `/manager/journal?entry=${one.entry}` }, t("entry", { entry: one.entry }))),
    h("p", {}, place(one)),
    one.reason ? h("p", {}, h("span", { class: "tag" }, t(`reasons.${one.reason}`))) : null,
    h("blockquote", {}, one.explanation),
    h("div", { class: "row people" }, h("small", {}, dateAndTime(one.at)), h("small", {}, t("by_two", { by: one.by, second: one.second })), one.win ? h("a", { href: `/manager/wins/${one.win}` }, t("win_number", { win: one.win })) : null),
    h("table", { class: "postings" }, h("caption", { class: "unseen" }, t("money")), h("tbody", {}, one.lines.map((line) => h("tr", {}, h("td", {}, line.account), h("td", {}, h("small", {}, spoken(line.purpose))), h("td", { class: `money ${line.micros < 0 ? "bad" : "good"}` }, exact(line.micros)))))));
}

function list() {
  return h("section", { class: "adjusted", key: "list" }, h("h2", {}, t("list")),
    !loaded ? h("p", { class: "loading" }, t("loading")) : items.length ? h("div", { class: "stack" }, items.map(adjustment)) : h("div", { class: "panel empty" }, h("p", {}, t("none"))),
    next ? h("p", { class: "more" }, h("button", { class: "button big", type: "button", onclick: pressing(more) }, t("more"))) : null);
}

async function load() {
  const found = await get("adjustments", { limit: A_PAGE });
  [items, next, loaded] = [found.items, found.next, true];
}

async function more() {
  const found = await get("adjustments", { limit: A_PAGE, after: next });
  [items, next] = [[...items, ...found.items], found.next];
  draw();
}

async function refresh() {
  [floor, manager] = await Promise.all([get("floor"), get("manager")]);
}

// -------------------------------------------------------------------------------------------------------------- the page

function making() {
  if (!mayAdjust) return h("section", { class: "panel adjust-making", key: "making" }, h("h2", {}, t("make")), h("p", {}, t("managers_only")));
  return h("section", { class: "panel adjust-making", key: "making" }, h("h2", {}, t("make")),
    done ? h("p", { class: "adjust-done good", role: "status", key: "done" }, t("done"), " ", done.sentence, " ", h("a", { href: `/manager/journal?entry=${done.entry}` }, t("entry", { entry: done.entry })),
      done.win ? [" · ", h("a", { href: `/manager/wins/${done.win}` }, t("win_number", { win: done.win }))] : null) : null,
    h("div", { class: "adjust-kinds", role: "group", "aria-label": t("make"), key: "kinds" }, KINDS.map((name) => h("button", { class: "button", type: "button", key: name, "aria-pressed": String(name === kind), onclick: pressing(() => { done = null; return choose(name); }) }, t(`make_kinds.${name}`)))),
    h("p", { key: "hint" }, h("small", {}, t(`hints.${kind}`))),
    forms.get(kind) ?? h("p", { class: "loading" }, t("loading")));
}

function draw() {
  main(h("div", { class: "spread page-head" }, h("h1", {}, t("title")), h("small", {}, t("words"))), h("div", { class: "adjust-columns", key: "adjusting" }, making(), list()));
}

async function begin() {
  await refresh();
  await load();
  await choose(kind);
  watch(["floor"], {
    step(subject, step) {
      if (step.events.some((event) => MOVES.has(event.type))) Promise.all([load(), refresh()]).then(draw).catch(complain);
    },
  });
}

begin().catch(complain);
