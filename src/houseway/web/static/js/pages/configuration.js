// Configuration: what is in force, and a changed floor file that is checked, advised on, and then applied.

import { complain, get, post, pressing, Refused } from "../api.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { dollars } from "../money.js";
import { data, gameName, spoken, t } from "../page.js";
import { withCard } from "../people.js";

let house = null;
let floor = null;
const signs = new Map();
let checked = null;
/** The text that `checked` speaks of. */
let text = "";
let applied = null;
const errors = { floor: "", reason: "" };

const may = (tag) => house.rights[tag].roles.includes(data.who.role);
const area = () => document.getElementById("floor-file");
const percent = (bp) => `${(bp / 100).toFixed(2).replace(/\.?0+$/, "")}%`;

// ------------------------------------------------------------------------------------------------ what is in force

function links() {
  return h("section", { class: "panel", key: "links" }, h("h2", {}, t("links")), house.links.length ? h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, ["link", "meter", "contribution", "reserve", "seed", "maximum"].map((name, number) => h("th", { scope: "col", class: number > 1 ? "money" : null }, t(`column.${name}`))))),
    house.links.map((link) => {
      const terms = Object.entries(house.terms[link.id]);
      return h("tbody", { key: link.id }, terms.map(([meter, one], number) => h("tr", { key: meter },
        number ? null : h("th", { scope: "rowgroup", rowspan: terms.length }, link.name, h("br", {}), h("small", {}, t("link_words", { table: link.pay_table, wager: dollars(link.wager_cents) })), h("br", {}), h("small", {}, link.tables.join(" · "))),
        h("td", {}, spoken(meter)), h("td", { class: "money" }, percent(one.contribution_bp)), h("td", { class: "money" }, percent(one.reserve_bp)),
        h("td", { class: "money" }, dollars(one.seed_cents)), h("td", { class: "money" }, one.maximum_cents === null ? t("none") : dollars(one.maximum_cents)))));
    }))) : h("p", { class: "empty" }, t("no_links")));
}

async function openTable(id) {
  if (signs.has(id)) return;
  signs.set(id, (await get(`tables/${encodeURIComponent(id)}/sign`)).sign);
  draw();
}

function limits(sign) {
  return [
    h("table", {}, h("thead", {}, h("tr", {}, ["wager", "minimum", "maximum"].map((name, number) => h("th", { scope: "col", class: number ? "money" : null }, t(`column.${name}`))))),
      h("tbody", {}, sign.wagers.map((wager) => h("tr", {}, h("th", { scope: "row" }, wager.label), h("td", { class: "money" }, dollars(wager.minimum_cents)), h("td", { class: "money" }, dollars(wager.maximum_cents)))))),
    h("p", {}, t("pay_tables"), " ", sign.pay_tables.map((one) => `${spoken(one.wager)} ${one.id}`).join(" · ") || t("none")),
    h("ul", {}, sign.options.map((option) => h("li", {}, option.says))),
    h("p", {}, h("a", { href: `/sign/${encodeURIComponent(sign.table)}` }, t("sign"))),
  ];
}

function tables() {
  return h("section", { class: "panel in-force", key: "tables" }, h("h2", {}, t("tables")), floor.tables.map((table) => h("details", { key: table.id, "data-table": table.id },
    h("summary", { onclick: () => openTable(table.id).catch(complain) }, h("strong", {}, table.id), h("span", {}, gameName(table.game)), h("span", { class: "tag" }, `${t(`kind.${table.kind}`)} · ${t(`console.${table.console}`)}`)),
    signs.has(table.id) ? limits(signs.get(table.id)) : h("p", { class: "loading" }, t("loading")))));
}

// ------------------------------------------------------------------------------------------------ a changed file

function forget() {
  errors.floor = errors.reason = "";
}

const check = pressing(async () => {
  forget();
  applied = null;
  const asked = area().value;
  try {
    checked = await post("floor/check", { floor: asked });
    text = asked;
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    checked = null;
    errors.floor = refused.message;
  }
  draw();
});

const apply = pressing(async (event) => {
  forget();
  const reason = event.target.elements.reason.value;
  if (!reason.trim()) {
    errors.reason = t("must_be_given");
    return draw();
  }
  // TR-5: the configuration in force is changed by two people.
  const answer = await withCard(t("apply"), "floor/configure", { floor: text, reason }, "second", h("p", {}, t("two_people", { name: data.who.name })));
  if (!answer) return;
  applied = { entry: answer.entry, changes: answer.events.flatMap((one) => one.changes ?? []) };
  checked = null;
  signs.clear();
  await load();
  draw();
});

const openFile = pressing(async (event) => {
  const [file] = event.target.files;
  if (file) area().value = await file.text();
  event.target.value = "";
  edited();
});

const takeInForce = pressing(async () => {
  area().value = (await get("floor/file")).floor;
  checked = null;
  edited();
});

/** What was found was found in another text. */
function edited() {
  applied = null;
  forget();
  draw();
}

function finding(one, kind) {
  return h("div", { class: `finding ${kind}` }, h("strong", {}, one.where, one.clause ? h("small", {}, one.clause) : null), h("span", {}, one.what));
}

function found() {
  if (!checked) return null;
  const stale = area()?.value !== text;
  const sound = !checked.defects.length;
  return h("div", { class: "findings", role: "status", key: "found" },
    stale ? h("p", { class: "warn" }, t("changed_since")) : null,
    sound ? h("p", { class: "good" }, t("sound", { tables: checked.tables.length, links: checked.links.length })) : h("h3", { class: "bad" }, t("defects", { count: checked.defects.length })),
    checked.defects.map((one) => finding(one, "bad")),
    checked.advice.length ? h("h3", {}, t("advice", { count: checked.advice.length })) : sound ? h("p", {}, t("no_advice")) : null,
    checked.advice.map((one) => finding(one, "warn")),
    checked.links.length ? h("details", {}, h("summary", {}, t("edges")), h("ul", {}, checked.links.map((link) => h("li", {}, `${link.id}: `, link.house_edge ? t("edge", { edge: `${(link.house_edge.value * 100).toFixed(2)}%`, exact: link.house_edge.exact }) : t("not_computed"), link.approved ? "" : ` ${t("not_approved")}`)))) : null,
    sound && !stale && may("configure") ? h("form", { class: "panel", onsubmit: apply, novalidate: true, key: "apply" },
      h("label", {}, t("reason"), h("input", { name: "reason", autocomplete: "off" }), errors.reason ? h("span", { class: "field-error", role: "alert" }, errors.reason) : null),
      h("p", {}, t("from_next_round")),
      h("button", { class: "button main big", type: "submit" }, t("apply"))) : null);
}

function change() {
  return h("section", { class: "panel stack", key: "change" }, h("h2", {}, t("change")), h("p", {}, t("change_words")),
    h("div", { class: "row" }, h("button", { class: "button", type: "button", onclick: takeInForce }, t("take_in_force")), h("label", { class: "button file-choice" }, t("open_file"), h("input", { type: "file", accept: ".toml,text/plain", onchange: openFile }))),
    h("label", {}, t("floor_file"), h("textarea", { id: "floor-file", class: "floor-file", spellcheck: "false", autocomplete: "off", "data-own": true, oninput: edited })),
    errors.floor ? h("p", { class: "field-error", role: "alert" }, errors.floor) : null,
    h("button", { class: "button main big", type: "button", onclick: check }, t("check")), found(),
    applied ? h("div", { class: "findings", role: "status" }, h("p", { class: "good" }, t("applied", { entry: applied.entry })), applied.changes.map((one) => h("p", { class: "finding good" }, h("span", {}, one)))) : null);
}

function draw() {
  main(h("h1", {}, t("title")), h("p", {}, t("in_force", { entry: house.configured })), h("div", { class: "configuration", key: "both" }, h("div", { class: "stack" }, links(), tables()), change()));
}

async function load() {
  [house, floor] = await Promise.all([get("manager"), get("floor")]);
}

async function begin() {
  const [file] = await Promise.all([get("floor/file"), load()]);
  draw();
  area().value = file.floor;
  watch(["manager"], {
    view(subject, now) {
      const other = now.configured !== house.configured;
      house = now;
      if (!other) return;
      signs.clear();
      load().then(draw, console.error);
    },
  });
}

begin().catch((error) => {
  if (!(error instanceof Refused)) console.error(error);
  main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", { class: "bad" }, error.message),
    h("button", { class: "button main", type: "button", onclick: () => location.reload() }, t("retry"))));
});
