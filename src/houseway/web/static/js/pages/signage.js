// The sign of a table: limits, pay tables, progressive and rule card, made from what is configured. To be printed.

import { complain, get } from "../api.js";
import { h, main } from "../dom.js";
import { dollars, money } from "../money.js";
import { data, spoken, t } from "../page.js";

const table = data.path.table;

/** What a wager, or a pay table that several share, is called on the layout. */
function label(sign, wager) {
  if (wager === "base") return t("base_game");
  return sign.wagers.find((one) => one.wager === wager)?.label ?? titled(spoken(wager));
}

function titled(words) {
  return words.replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase());
}

function limits(sign) {
  return h("section", { class: "panel sign-limits" }, h("h2", {}, t("limits")),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("wager")), h("th", { scope: "col", class: "money" }, t("minimum")), h("th", { scope: "col", class: "money" }, t("most")))),
    h("tbody", {}, sign.wagers.map((wager) => [h("tr", { class: wager.aggregate.length ? "goes-on" : null }, h("th", { scope: "row" }, wager.label), h("td", { class: "money" }, dollars(wager.effective_minimum_cents)),
      h("td", { class: "money" }, dollars(wager.effective_maximum_cents), wager.narrowed_by.length ? h("small", {}, t("narrowed", { by: wager.narrowed_by.map((one) => label(sign, one)).join(", ") })) : null)),
      wager.aggregate.length ? h("tr", {}, h("td", { class: "sign-in-all", colspan: 3 }, t("in_all"), wager.aggregate.map((one) => h("strong", {}, t("aggregate", { amount: dollars(one.cents), since: one.since }))))) : null]))),
    sign.separate_games ? h("p", { class: "sign-games" }, sign.separate_games) : null);
}

function payTable(sign, one) {
  const many = one.columns.length > 1;
  const envy = one.rows.some((row) => row.envy_cents);
  return h("section", { class: `panel sign-table ${many ? "broad" : ""}`, key: `${one.wager}/${one.id}` },
    h("h2", {}, label(sign, one.wager), " ", h("small", {}, t("pay_table", { id: one.id }))),
    one.approved ? null : h("p", { class: "warn" }, t("not_approved")),
    h("div", { class: "scroll", tabindex: many ? "0" : null, role: many ? "group" : null, "aria-label": many ? label(sign, one.wager) : null },
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("hand")),
        many ? one.columns.map((column) => h("th", { scope: "col", class: "money" }, t("column", { hands: column }))) : h("th", { scope: "col", class: "money" }, t("pays")),
        envy ? h("th", { scope: "col", class: "money" }, t("envy")) : null)),
      h("tbody", {}, one.rows.map((row) => h("tr", {}, h("th", { scope: "row" }, spoken(row.hand)), row.pays.map((pays) => h("td", { class: "money" }, pays)),
        envy ? h("td", { class: "money" }, row.envy_cents ? dollars(row.envy_cents) : "") : null))))),
    one.envy_minimum_cents ? h("p", {}, t("envy_minimum", { amount: dollars(one.envy_minimum_cents) })) : null);
}

function progressive(one) {
  const envy = one.rows.some((row) => row.envy_cents);
  const several = one.meters.length > 1;
  return h("section", { class: "panel sign-table", key: "progressive" }, h("h2", {}, one.name, " ", h("small", {}, t("pay_table", { id: one.pay_table }))),
    one.approved ? null : h("p", { class: "warn" }, t("not_approved")),
    h("p", {}, t("progressive_wager"), " ", h("strong", {}, money(one.wager_cents))),
    h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("hand")), h("th", { scope: "col", class: "money" }, t("wins")), envy ? h("th", { scope: "col", class: "money" }, t("envy")) : null)),
      h("tbody", {}, one.rows.map((row) => h("tr", {}, h("th", { scope: "row" }, spoken(row.hand)),
        h("td", { class: row.percent !== null ? "money share" : "money" }, row.percent !== null ? t("share", { percent: row.percent, meter: several ? spoken(row.meter) : t("one_meter") }) : dollars(row.cents)),
        envy ? h("td", { class: "money" }, row.envy_cents ? dollars(row.envy_cents) : "") : null)))),
    one.meters.map((meter) => h("p", { class: "sign-seed" }, t(several ? "seed_of" : "seed", { meter: spoken(meter.meter), amount: dollars(meter.seed_cents) }),
      meter.maximum_cents === null ? "" : ` ${t("maximum", { amount: dollars(meter.maximum_cents) })}`)));
}

function rules(card) {
  return h("section", { class: "panel sign-rules" }, h("h2", {}, t("rules")), h("div", { class: "sign-columns" }, card.rules.map((section) => h("div", {}, h("h3", {}, section.title),
    h("ul", {}, section.lines.map((line) => h("li", {}, line.text)))))));
}

function options(sign) {
  const said = (value) => (value === true ? t("yes") : value === false ? t("no") : spoken(value));
  return h("section", { class: "panel sign-options" }, h("h2", {}, t("options")),
    h("ul", { class: "sign-columns" }, sign.options.map((one) => h("li", {}, one.says, " ", h("strong", {}, said(one.value))))));
}

async function begin() {
  const { sign } = await get(`tables/${encodeURIComponent(table)}/sign`);
  const card = await get(`games/${encodeURIComponent(sign.game)}`);
  // A pay table that two wagers are paid by is posted once.
  const tables = new Map(sign.pay_tables.map((one) => [`${one.wager}/${one.id}`, one]));
  document.title = `${sign.title} · ${t("table")} ${sign.table}`;
  main(h("article", { class: "sign" },
    h("header", { class: "sign-head" }, h("p", { class: "sign-site" }, sign.site), h("h1", {}, sign.title), h("p", { class: "sign-where" }, `${t("table")} ${sign.table}`),
      h("button", { class: "button no-print", type: "button", onclick: () => print() }, t("print"))),
    sign.notice ? h("p", { class: "sign-notice", role: "note" }, sign.notice) : null,
    h("div", { class: "sign-tables" }, sign.wagers.length ? limits(sign) : null, sign.progressive ? progressive(sign.progressive) : null, [...tables.values()].map((one) => payTable(sign, one))),
    rules(card), sign.options.length ? options(sign) : null));
}

begin().catch((error) => {
  main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", { class: "bad" }, error.message)));
  complain(error);
});
