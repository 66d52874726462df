// The floor: what needs a person first, then every link and every table, live.

import { get, complain } from "../api.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { money } from "../money.js";
import { clock, data, gameName, spoken, t } from "../page.js";

let view = null;
const meters = new Map();

function needs() {
  if (!view.needs.length) return h("section", { class: "panel needs quiet" }, h("h2", {}, t("needs")), h("p", {}, t("nothing_needed")));
  return h("section", { class: "panel needs", "aria-label": t("needs") }, h("h2", {}, t("needs_count", { count: view.needs.length })),
    h("ul", { class: "plain" }, view.needs.map((need) => h("li", { class: `need ${need.what}`, key: `${need.what}${need.table}${need.link}${need.text}` },
      h("span", { class: "tag" }, t(`need.${need.what}`)),
      h("strong", {}, need.table || linkName(need.link)),
      h("span", {}, need.text),
      need.since ? h("small", {}, clock(need.since)) : null,
      to(need)))));
}

function to(need) {
  if (need.what === "claim" && ["supervisor", "executive"].includes(data.who.role)) return h("a", { class: "button main", href: "/supervisor" }, t("go_claim"));
  if (need.what === "verify" && data.who.role === "surveillance") return h("a", { class: "button main", href: "/surveillance" }, t("go_verify"));
  if (need.table) return h("a", { class: "button", href: `/table/${encodeURIComponent(need.table)}` }, t("go_table"));
  return null;
}

function linkName(id) {
  return view.links.find((link) => link.link === id)?.name ?? id;
}

function link(one) {
  const now = meters.get(one.link);
  return h("article", { class: "panel link", key: one.link },
    h("div", { class: "spread" }, h("h3", {}, one.name), h("small", {}, one.tables.join(" · "))),
    one.meters.filter((meter) => !meter.retired).map((meter) => h("div", { class: "spread", key: meter.meter },
      h("span", {}, one.meters.length > 1 ? spoken(meter.meter) : t("jackpot")),
      meter.opened ? money(now?.meters[meter.meter] ?? meter.cents, { class: "meter" }) : h("span", { class: "warn" }, t("not_opened")))),
    one.pending.map((pending) => h("p", { class: "warn" }, t("pending", { table: pending.table }), " ", money(pending.cents))),
    one.stops.map((why) => h("p", { class: "bad" }, why)));
}

function state(table) {
  if (table.malfunction) return ["bad", t("state.malfunction")];
  if (table.stops.length) return ["bad", t("state.stopped")];
  if (view.needs.some((need) => need.what === "claim" && need.table === table.id)) return ["warn", t("state.claim")];
  if (table.locked) return ["good", t("state.playing", { spots: table.lit.length })];
  return ["", t("state.open")];
}

function table(one) {
  const [kind, words] = state(one);
  return h("a", { class: "panel table-card", href: `/table/${encodeURIComponent(one.id)}`, key: one.id },
    h("div", { class: "spread" }, h("strong", { class: "table-name" }, one.id), h("span", { class: `tag ${kind}` }, words)),
    h("div", {}, gameName(one.game)),
    h("small", {}, `${t(`kind.${one.kind}`)} · ${t("round")} ${one.round}`),
    one.wins.map((win) => h("p", { class: "good" }, `${t("spot")} ${win.spot}: ${spoken(win.hand)} `, money(win.cents))));
}

function draw() {
  main(h("h1", { class: "unseen" }, t("title")),
    needs(),
    h("section", {}, h("h2", {}, t("links")), view.links.length ? h("div", { class: "grid" }, view.links.map(link)) : h("p", { class: "empty" }, t("no_links"))),
    h("section", {}, h("h2", {}, t("tables")), view.tables.length ? h("div", { class: "grid" }, view.tables.map(table)) : h("p", { class: "empty" }, t("empty"))));
}

async function begin() {
  view = await get("floor");
  draw();
  watch(["floor", ...view.links.slice(0, 60).map((one) => `link/${one.link}`)], {
    view(subject, now) {
      if (subject === "floor") view = now;
      else view.links = view.links.map((one) => (one.link === now.link ? now : one));
      meters.delete(subject.slice(5));
      draw();
    },
    meters(subject, message) {
      meters.set(subject.slice(5), message);
      draw();
    },
  });
}

begin().catch(complain);
