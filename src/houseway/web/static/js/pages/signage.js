// The sign of a table: limits, pay tables, progressive and rule card, made from what is configured. To be printed.

import { complain, get } from "../api.js";
import { h, main } from "../dom.js";
import { dollars, money } from "../money.js";
import { data, spoken, t } from "../page.js";

const table = data.path.table;

function range(wager) {
  const because = wager.narrowed_by.length ? h("small", {}, t("narrowed", { by: wager.narrowed_by.map(spoken).join(", ") })) : null;
  return h("tr", { key: wager.wager }, h("th", { scope: "row" }, wager.label), h("td", { class: "money" }, dollars(wager.effective_minimum_cents)),
    h("td", { class: "money" }, dollars(wager.effective_maximum_cents), because ? h("br") : null, because),
    h("td", {}, wager.aggregate.map((one) => h("div", {}, t("aggregate", { amount: dollars(one.cents), since: one.since })))));
}

function payTable(one) {
  const many = one.columns.length > 1;
  const envy = one.rows.some((row) => row.envy_cents);
  return h("section", { class: "panel sign-table", key: `${one.wager}${one.id}` },
    h("h2", {}, spoken(one.wager), " ", h("small", {}, one.id)),
    one.approved ? null : h("p", { class: "warn" }, t("not_approved")),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("hand")),
      many ? one.columns.map((column) => h("th", { scope: "col", class: "money" }, t("column", { hands: column }))) : h("th", { scope: "col", class: "money" }, t("pays")),
      envy ? h("th", { scope: "col", class: "money" }, t("envy")) : null)),
    h("tbody", {}, one.rows.map((row) => h("tr", {}, h("th", { scope: "row" }, spoken(row.hand)), row.pays.map((pays) => h("td", { class: "money" }, pays)),
      envy ? h("td", { class: "money" }, row.envy_cents ? dollars(row.envy_cents) : "") : null)))));
}

function progressive(one) {
  const envy = one.rows.some((row) => row.envy_cents);
  return h("section", { class: "panel sign-table" }, h("h2", {}, one.name, " ", h("small", {}, one.pay_table)),
    h("p", {}, t("progressive_wager"), " ", money(one.wager_cents)),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("hand")), h("th", { scope: "col", class: "money" }, t("wins")), envy ? h("th", { scope: "col", class: "money" }, t("envy")) : null)),
      h("tbody", {}, one.rows.map((row) => h("tr", {}, h("th", { scope: "row" }, spoken(row.hand)),
        h("td", { class: "money" }, row.percent !== null ? t("share", { percent: row.percent, meter: one.meters.length > 1 ? spoken(row.meter) : t("meter") }) : dollars(row.cents)),
        envy ? h("td", { class: "money" }, row.envy_cents ? dollars(row.envy_cents) : "") : null)))),
    one.meters.map((meter) => h("p", {}, t("seed", { meter: spoken(meter.meter), amount: dollars(meter.seed_cents) }), meter.maximum_cents === null ? "" : ` ${t("maximum", { amount: dollars(meter.maximum_cents) })}`)));
}

function rules(card) {
  return h("section", { class: "panel sign-rules" }, h("h2", {}, t("rules")), card.rules.map((section) => h("div", {}, h("h3", {}, section.title),
    h("ul", {}, section.lines.map((line) => h("li", {}, line.text))))));
}

async function begin() {
  const { sign } = await get(`tables/${encodeURIComponent(table)}/sign`);
  const card = await get(`games/${sign.game}`);
  main(h("div", { class: "sign" },
    h("div", { class: "spread" }, h("h1", {}, `${sign.title} · ${t("table")} ${sign.table}`), h("button", { class: "button no-print", type: "button", onclick: () => print() }, t("print"))),
    sign.notice ? h("p", { class: "warn" }, sign.notice) : null,
    sign.wagers.length ? h("section", { class: "panel" }, h("h2", {}, t("limits")), h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("wager")), h("th", { scope: "col", class: "money" }, t("minimum")), h("th", { scope: "col", class: "money" }, t("most")), h("th", { scope: "col" }, t("in_all")))), h("tbody", {}, sign.wagers.map(range)))) : null,
    h("div", { class: "sign-tables" }, sign.progressive ? progressive(sign.progressive) : null, sign.pay_tables.map(payTable)),
    rules(card)));
}

begin().catch((error) => {
  main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", { class: "bad" }, error.message)));
  complain(error);
});
