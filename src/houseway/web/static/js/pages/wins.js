// The wins of the progressives, newest first. The money bag opens a win's page.

import { complain, get, pressing } from "../api.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { winLink } from "../money-bag.js";
import { dollars } from "../money.js";
import { dateAndTime, spoken, t } from "../page.js";

const A_PAGE = 25;
const MOVES = new Set(["win_logged", "win_paid", "win_undone", "late_win_paid"]);
const query = new URLSearchParams(location.search);
const chosen = { link: query.get("link") ?? "", table: query.get("table") ?? "" };
let floor = null;
let items = [];
let next = null;
let loaded = false;

function asked(more = {}) {
  return Object.fromEntries(Object.entries({ limit: A_PAGE, ...chosen, ...more }).filter(([, value]) => value !== ""));
}

async function load() {
  const found = await get("wins", asked());
  items = found.items;
  next = found.next;
  loaded = true;
  draw();
}

async function more() {
  const found = await get("wins", asked({ after: next }));
  items = [...items, ...found.items.filter((one) => !items.some((have) => have.win === one.win))];
  next = found.next;
  draw();
}

function choose(name, value) {
  chosen[name] = value;
  const search = new URLSearchParams(Object.entries(chosen).filter(([, one]) => one)).toString();
  history.replaceState(null, "", search ? `?${search}` : location.pathname);
  return load();
}

function select(name, words, options) {
  return h("label", {}, words, h("select", { "data-own": true, key: name, onchange: pressing((event) => choose(name, event.target.value)) },
    h("option", { value: "" }, t("all")), options.map(([value, label]) => h("option", { value, selected: value === chosen[name] }, label))));
}

function linkName(id) {
  return floor.links.find((one) => one.link === id)?.name ?? id;
}

function state(win) {
  const kind = win.state === "paid" ? "good" : win.state === "undone" ? "bad" : "warn";
  return [h("span", { class: `tag ${kind}` }, t(`state.${win.state}`)), win.late ? h("span", { class: "tag warn" }, t("state.late")) : null];
}

function line(win) {
  return h("tr", { key: `win${win.win}`, class: win.state },
    h("td", { class: "bag-cell" }, winLink(win.win, t("open", { win: win.win }))),
    h("td", {}, h("strong", {}, t("number", { win: win.win })), h("br"), h("small", {}, dateAndTime(win.at))),
    h("td", {}, h("strong", {}, win.table), h("br"), h("small", {}, t("place", { round: win.round, spot: win.spot }))),
    h("td", {}, h("span", { class: "hand-words" }, spoken(win.hand)), h("br"), h("small", {}, linkName(win.link), " · ", win.meter ? t("meter_named", { meter: spoken(win.meter) }) : t("from_tray"))),
    h("td", { class: "money won-amount" }, dollars(win.cents)),
    h("td", {}, h("div", { class: "row" }, state(win))));
}

function list() {
  if (!loaded) return h("p", { class: "loading" }, t("loading"));
  if (!items.length) return h("section", { class: "panel empty", key: "empty" }, h("p", {}, t(chosen.link || chosen.table ? "none_found" : "none")));
  return h("div", { class: "scroll panel", key: "list" }, h("table", { class: "wins" },
    h("caption", { class: "unseen" }, t("title")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, t("page"))), h("th", { scope: "col" }, t("win")), h("th", { scope: "col" }, t("table")),
      h("th", { scope: "col" }, t("hand")), h("th", { scope: "col", class: "money" }, t("amount")), h("th", { scope: "col" }, t("stands")))),
    h("tbody", {}, items.map(line))));
}

function draw() {
  main(h("div", { class: "spread page-head" }, h("h1", {}, t("title")), h("small", {}, t("words"))),
    h("div", { class: "list-filters" }, select("link", t("link"), floor.links.map((one) => [one.link, one.name])), select("table", t("table"), floor.tables.map((one) => [one.id, one.id]))),
    list(),
    next ? h("p", { class: "more" }, h("button", { class: "button big", type: "button", onclick: pressing(more) }, t("more"))) : null);
}

async function begin() {
  floor = await get("floor");
  draw();
  await load();
  watch(["floor"], {
    step(subject, step) {
      if (step.events.some((event) => MOVES.has(event.type))) load().catch(complain);
    },
  });
}

begin().catch(complain);
