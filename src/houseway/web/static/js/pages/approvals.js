// Approvals and equipment: what is on file, what is missing by clause, and why a table is shut.

import { complain, get, pressing, Refused } from "../api.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { gameName, t } from "../page.js";

let approvals = null;
let equipment = null;
let approved = [];
let error = "";

async function load(on = "") {
  [approvals, equipment] = await Promise.all([get("approvals", on ? { on } : {}), get("equipment")]);
}

const choose = pressing(async (event) => {
  error = "";
  try {
    await load(event.target.elements.on.value);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    error = refused.message;
  }
  draw();
});

function sentences(list, kind) {
  return h("ul", { class: kind }, list.map((one) => h("li", {}, one)));
}

function tables() {
  const shut = approvals.tables.filter((one) => one.because.length);
  return h("section", { class: `panel needs ${shut.length ? "" : "quiet"}`, key: "tables" }, h("h2", {}, shut.length ? t("shut", { count: shut.length }) : t("none_shut")),
    shut.map((one) => h("div", { key: one.table }, h("h3", {}, h("a", { href: `/table/${encodeURIComponent(one.table)}` }, one.table)), sentences(one.because, "bad"))),
    h("p", {}, t("open_tables"), " ", approvals.tables.filter((one) => !one.because.length).map((one) => one.table).join(" · ") || t("none")));
}

function game(one) {
  const [kind, words] = one.missing.length ? ["bad", t("state.incomplete", { count: one.missing.length })] : one.demonstration ? ["warn", t("state.demonstration")] : ["good", t("state.complete")];
  return h("article", { class: "panel", key: one.game }, h("div", { class: "spread" }, h("h3", {}, gameName(one.game)), h("span", { class: `tag ${kind}` }, words)),
    one.missing.length ? [h("h4", {}, t("missing")), sentences(one.missing, "bad")] : null,
    h("h4", {}, t("there")), one.there.length ? sentences(one.there) : h("p", { class: "quiet" }, t("nothing_there")));
}

function machines() {
  const lacking = equipment.tables.filter((one) => one.missing.length);
  return h("section", { class: "panel", key: "equipment" }, h("h2", {}, t("equipment")),
    lacking.length ? lacking.map((one) => h("div", {}, h("h3", {}, one.table), sentences(one.missing, "bad"))) : h("p", { class: "good" }, t("nothing_lacks")),
    equipment.equipment.length ? h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["id", "kind", "version", "approved", "tables"].map((name) => h("th", { scope: "col" }, t(`column.${name}`))))),
      h("tbody", {}, equipment.equipment.map((one) => h("tr", { key: one.id }, h("th", { scope: "row" }, one.id, one.backup ? h("small", {}, ` ${t("backup")}`) : null), h("td", {}, one.title), h("td", {}, one.version || t("no_version")),
        h("td", {}, one.approved ? rule(one.approved) : h("span", { class: "bad" }, t("unknown_kind"))), h("td", {}, one.tables.length ? one.tables.join(" · ") : t("all_tables")))))))
      : h("p", { class: "empty" }, t("no_equipment")));
}

function rule(kind) {
  return h("span", {}, t(`rule.${kind.approved}`, { version: kind.version }), h("br", {}), h("small", {}, kind.documents.join(", ")));
}

async function list() {
  if (!approved.length) approved = (await get("equipment/approved", { limit: 500 })).items;
  draw();
}

function register() {
  return h("details", { class: "panel in-force", key: "register" }, h("summary", { onclick: () => list().catch(complain) }, h("h2", {}, t("register"))),
    approved.length ? h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ["kind", "part", "approved"].map((name) => h("th", { scope: "col" }, t(`column.${name}`))))),
      h("tbody", {}, approved.map((kind) => h("tr", { key: kind.key }, h("th", { scope: "row" }, kind.title), h("td", {}, kind.part), h("td", {}, rule(kind))))))) : h("p", { class: "loading" }, t("loading")));
}

function draw() {
  main(h("h1", { key: "h1" }, t("title")), h("form", { class: "period no-print", key: "on", onsubmit: choose },
    h("p", {}, t("site", { kind: t(`kind.${approvals.site}`) })),
    h("label", {}, t("on"), h("input", { type: "date", name: "on", value: approvals.on, required: true })), h("button", { class: "button", type: "submit" }, t("show")),
    error ? h("p", { class: "field-error", role: "alert" }, error) : null),
    tables(), h("h2", { key: "games" }, t("games_title")), h("div", { class: "register", key: "register-of-games" }, approvals.games.map(game)), machines(), register());
}

async function begin() {
  await load();
  draw();
  watch(["floor"], {
    step(subject, step) {
      if (step.events.some((event) => event.type === "floor_configured")) load().then(draw, console.error);
    },
  });
}

begin().catch((failure) => {
  if (!(failure instanceof Refused)) console.error(failure);
  main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", { class: "bad" }, failure.message),
    h("button", { class: "button main", type: "button", onclick: () => location.reload() }, t("retry"))));
});
