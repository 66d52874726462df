// The journal: every entry in plain words, newest first, found again by its number or its table.

import { complain, get, pressing, Refused } from "../api.js";
import { h, main } from "../dom.js";
import { data, dateAndTime, spoken, t } from "../page.js";

const A_PAGE = 25;
const WORDS_FROM = 2;
const MONEY = /^ {6}/;
let tables = [];
let items = [];
let next = null;
let loaded = false;
let wrong = "";
let verified = null;
const asked = { entry: "", table: "", ...Object.fromEntries(new URLSearchParams(location.search)) };

const entryField = h("input", { id: "entry", inputmode: "numeric", pattern: "[0-9]{1,18}", autocomplete: "off", value: asked.entry });
const tableField = h("select", { id: "table" });
const search = h("form", { class: "list-filters", "data-own": true, key: "search", role: "search", onsubmit: pressing(() => find(entryField.value.trim(), tableField.value)) },
  h("label", { for: "entry" }, t("entry"), entryField), h("label", { for: "table" }, t("table"), tableField),
  h("div", { class: "row" }, h("button", { class: "button main", type: "submit" }, t("find")), h("button", { class: "button", type: "button", onclick: pressing(() => { entryField.value = ""; tableField.value = ""; return find("", ""); }) }, t("newest"))));

function find(entry, table) {
  Object.assign(asked, { entry, table });
  const query = new URLSearchParams(Object.entries({ entry, table }).filter(([, value]) => value)).toString();
  history.replaceState(null, "", query ? `?${query}` : location.pathname);
  return load();
}

/** The entry that was asked for comes first, and what was before it follows. */
async function load() {
  wrong = "";
  const query = { limit: A_PAGE };
  if (asked.table) query.table = asked.table;
  items = [];
  next = null;
  try {
    if (asked.entry) {
      items = [await get(`journal/${encodeURIComponent(asked.entry)}`)];
      query.after = asked.entry;
    }
    const found = asked.entry === "1" ? { items: [], next: null } : await get("journal", query);
    items = [...items, ...found.items];
    next = found.next;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    wrong = error.message;
  }
  loaded = true;
  draw();
}

async function more() {
  const found = await get("journal", { limit: A_PAGE, after: next, ...(asked.table ? { table: asked.table } : {}) });
  items = [...items, ...found.items];
  next = found.next;
  draw();
}

async function verify() {
  verified = await get("journal/verify");
  draw();
}

/** What happened, and the money it moved. */
function told(entry) {
  if (!entry.whole) return [h("p", { class: "warn" }, t("closed")), h("ul", {}, entry.shown.map((event) => h("li", {}, shown(event))))];
  const lines = entry.words.split("\n").slice(WORDS_FROM).filter((line) => line.trim());
  const money = lines.filter((line) => MONEY.test(line)).map((line) => line.slice(6));
  return [lines.filter((line) => !MONEY.test(line)).map((line) => h("p", {}, line.trim())), money.length ? h("pre", { class: "postings", tabindex: "0", "aria-label": t("money") }, money.join("\n")) : null];
}

function shown(event) {
  const more = Object.entries(event).filter(([name, value]) => name !== "type" && value !== "" && typeof value !== "object").map(([name, value]) => `${spoken(name)} ${value}`);
  return [spoken(event.type), ...more].join(", ");
}

function who(entry) {
  return entry.whole ? entry.words.split("\n")[1].trim() : t("by", { kind: spoken(entry.kind), who: entry.by });
}

/** The win that an entry records or belongs to. */
function winOf(entry) {
  return entry.events.find((event) => ["win_logged", "win_paid", "late_win_paid", "win_undone", "surveillance_verified"].includes(event.type))?.win;
}

function article(entry) {
  const win = winOf(entry);
  const found = String(entry.entry) === asked.entry;
  return h("article", { class: `panel journal-entry ${found ? "found" : ""}`, key: `entry${entry.entry}`, "aria-label": t("entry_label", { entry: entry.entry }), "aria-current": found ? "true" : null },
    h("div", { class: "spread" },
      h("h2", {}, h("a", { href: `/manager/journal?entry=${entry.entry}` }, t("number", { entry: entry.entry }))),
      h("small", {}, [dateAndTime(entry.at), t("day", { day: entry.day }), entry.table ? t("at_table", { table: entry.table, round: entry.round }) : ""].filter(Boolean).join(" · "))),
    h("p", { class: "entry-who" }, who(entry)),
    h("div", { class: "entry-words" }, told(entry)),
    h("div", { class: "row" }, win ? h("a", { class: "button", href: `/manager/wins/${win}` }, t("to_win", { win })) : null,
      entry.whole ? h("details", {}, h("summary", {}, t("proof")), h("dl", { class: "facts lined" },
        h("div", {}, h("dt", {}, t("order")), h("dd", { class: "hash" }, entry.order)), h("div", {}, h("dt", {}, t("digest")), h("dd", { class: "hash" }, entry.digest)),
        h("div", {}, h("dt", {}, t("hash")), h("dd", { class: "hash" }, entry.hash)))) : null));
}

function chain() {
  const words = verified === null ? t("verify_words")
    : t(verified.whole ? "verified" : "not_verified", { count: verified.entries, first: verified.first, last: verified.last });
  return h("section", { class: "panel spread journal-chain", key: "chain" }, h("div", {}, h("p", { role: "status", class: verified ? (verified.whole ? "good" : "bad") : "" }, words),
    (verified?.bad ?? []).map((one) => h("p", { class: "bad" }, t("bad_entry", { entry: one.entry, what: one.what })))),
  h("button", { class: "button", type: "button", onclick: pressing(verify) }, t("verify")));
}

function draw() {
  document.title = `${asked.entry ? t("number", { entry: asked.entry }) : t("title")} · ${data.site}`;
  main(h("div", { class: "spread page-head" }, h("h1", {}, t("title")), h("small", {}, t("words"))), search,
    wrong ? h("p", { class: "field-error", role: "alert", key: "wrong" }, wrong) : null,
    loaded ? null : h("p", { class: "loading" }, t("loading")),
    loaded && !items.length && !wrong ? h("section", { class: "panel empty", key: "none" }, h("p", {}, t("none"))) : null,
    h("div", { class: "stack journal-entries", key: "entries" }, items.map(article)),
    next ? h("p", { class: "more", key: "more" }, h("button", { class: "button big", type: "button", onclick: pressing(more) }, t("more"))) : null,
    chain());
}

async function begin() {
  draw();
  tables = (await get("floor")).tables;
  tableField.append(h("option", { value: "" }, t("every_table")), ...tables.map((one) => h("option", { value: one.id }, one.id)));
  tableField.value = asked.table;
  await load();
}

begin().catch(complain);
