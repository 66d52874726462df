// The win page: everything on record about one win, on the screen and on paper.

import { complain, get, Refused } from "../api.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { moneyBag } from "../money-bag.js";
import { dollars, exact } from "../money.js";
import { data, gameName, has, spoken, t } from "../page.js";

const number = data.path.win;
let win = null;

/** Whether the page's navigation offers a place to who is signed in. */
function offered(path) {
  return Boolean(document.querySelector(`.bar nav a[href="${path}"]`));
}

function line(label, ...shown) {
  return h("div", {}, h("dt", {}, label), h("dd", {}, shown));
}

function section(name, ...lines) {
  const found = lines.flat(Infinity).filter(Boolean);
  return found.length ? h("section", { class: `panel win-${name}`, "aria-label": t(`sections.${name}`) }, h("h2", {}, t(`sections.${name}`)), h("dl", { class: "facts lined" }, found)) : null;
}

function entry(seq) {
  const words = t("entry", { entry: seq });
  return offered("/manager/journal") ? h("a", { href: `/manager/journal?entry=${seq}` }, words) : words;
}

function deed(label, one) {
  if (!one) return null;
  return line(label, h("strong", {}, one.by.name || one.by.id), " ", h("small", {}, one.by.id),
    one.second ? h("div", {}, t("with"), " ", h("strong", {}, one.second.name || one.second.id), " ", h("small", {}, one.second.id)) : null,
    h("div", {}, one.when.local), h("small", {}, one.when.utc, " · ", entry(one.entry)));
}

function duration(micros) {
  const seconds = Math.floor(micros / 1_000_000);
  return t(seconds < 60 ? "seconds" : "minutes", { minutes: Math.floor(seconds / 60), seconds: seconds < 60 ? seconds : String(seconds % 60).padStart(2, "0") });
}

function status() {
  if (win.undone) return ["bad", t("status.undone", { entry: win.undone.deed.entry })];
  if (!win.paid) return ["warn", t("status.logged")];
  return ["good", t(win.late ? "status.late" : "status.paid")];
}

function where() {
  return section("where",
    line(t("link"), h("strong", {}, win.link_name), " ", h("small", {}, win.link)),
    line(t("meter"), win.meter ? spoken(win.meter) : t("from_tray")),
    line(t("table"), h("strong", {}, win.table), win.game ? ` · ${gameName(win.game)}` : ""),
    line(t("spot"), h("strong", {}, String(win.spot))),
    line(t("round"), String(win.round)),
    win.console ? line(t("console"), has(`consoles.${win.console}`) ? t(`consoles.${win.console}`) : win.console) : null,
    line(t("day"), win.day));
}

function what() {
  return section("what", line(t("hand"), h("strong", { class: "hand-words" }, win.hand_words)), line(t("pay_table"), win.pay_table), line(t("row"), win.row),
    line(t("wager"), h("span", { class: "money" }, dollars(win.wager_cents, win.currency))), line(t("amount"), h("strong", { class: "money" }, dollars(win.amount_cents, win.currency))));
}

function paidFrom() {
  const amount = (label, cents, kind = "") => line(label, h("span", { class: `money ${kind}` }, dollars(cents, win.currency)));
  return section("paid",
    win.meter ? amount(t("meter_named", { meter: spoken(win.meter) }), win.from_meter_cents) : null,
    win.from_tray_cents ? amount(t("tray"), win.from_tray_cents) : null,
    win.shortfall_cents ? amount(t("shortfall"), win.shortfall_cents, "bad") : null);
}

function meter() {
  if (win.meter_before_micros === null) return win.meter ? section("meter", line(t("meter"), t("meter_untouched"))) : null;
  const amount = (label, micros) => line(label, h("span", { class: "money" }, exact(micros, win.currency)));
  return section("meter", amount(t("before"), win.meter_before_micros),
    line(t("award"), h("span", { class: "money" }, dollars(-win.from_meter_cents, win.currency))),
    win.reseeded ? [amount(t("seed"), win.seed_micros), amount(t("from_reserve"), win.from_reserve_micros)] : null,
    amount(t("after"), win.meter_after_micros));
}

function people() {
  return section("people", deed(t("named"), win.named),
    win.arrived_after_microseconds === null ? null : line(t("arrived"), duration(win.arrived_after_microseconds)),
    deed(t(win.late ? "paid_late" : "confirmed"), win.confirmed),
    win.confirmed_after_microseconds === null ? null : line(t("confirmed_after"), duration(win.confirmed_after_microseconds)),
    win.paid && win.paid.entry !== win.confirmed.entry ? deed(t("adjusted"), win.paid) : null);
}

function checks() {
  const seen = win.verified ? [line(t("surveillance"), win.verified.observer), line(t("player"), win.verified.player), deed(t("recorded"), win.verified.recorded)]
    : line(t("surveillance"), h("span", { class: win.surveillance ? "warn" : "" }, t(win.late ? "checks.late" : win.surveillance ? "checks.needed" : "checks.not_needed")));
  return section("checks", seen, line(t("tax_form"), h("span", { class: win.tax_form ? "warn" : "" }, t(win.tax_form ? "checks.form" : "checks.not_needed"))),
    win.evidence ? line(t("evidence"), win.evidence) : null);
}

function envy() {
  return section("envy", win.envy.map((one) => line(t("spot_number", { spot: one.spot }), h("span", { class: "money" }, dollars(one.cents, win.currency)))));
}

function undone() {
  if (!win.undone) return null;
  return section("undone", deed(t("undone_by"), win.undone.deed), line(t("reason"), win.undone.reason), line(t("explanation"), win.undone.explanation));
}

function tools() {
  return h("div", { class: "row no-print win-tools" },
    h("button", { class: "button main big", type: "button", onclick: () => print() }, t("print")),
    h("a", { class: "button big", href: `/api/v1/wins/${win.number}/page.pdf`, download: `win-${win.number}.pdf` }, t("pdf")),
    offered("/manager/journal") ? h("a", { class: "button", href: `/manager/journal?entry=${win.number}` }, t("journal")) : null,
    offered("/manager/adjustments") && win.paid && !win.undone ? h("a", { class: "button", href: `/manager/adjustments?win=${win.number}` }, t("undo")) : null,
    h("a", { class: "button quiet", href: "/manager/wins" }, t("all_wins")));
}

function draw() {
  const [kind, words] = status();
  document.title = `${t("heading", { win: win.number })} · ${data.site}`;
  main(h("article", { class: "win-page" },
    h("header", { class: "panel win-head" }, moneyBag({ class: "large" }),
      h("div", { class: "grow" }, h("p", { class: "site-name" }, win.site), h("h1", {}, t("heading", { win: win.number })),
        h("p", { class: "win-headline" }, t("headline", { hand: win.hand_words, table: win.table, spot: win.spot })), h("span", { class: `tag ${kind}` }, words)),
      h("p", { class: "figure money accented" }, dollars(win.amount_cents, win.currency))),
    tools(),
    h("div", { class: "win-columns" }, h("div", { class: "stack" }, where(), what(), paidFrom(), meter()), h("div", { class: "stack" }, people(), checks(), envy(), undone())),
    h("section", { class: "panel win-proof", "aria-label": t("sections.proof") }, h("h2", {}, t("sections.proof")),
      h("p", {}, t("proof", { win: win.number })), h("p", { class: "hash" }, win.hash),
      h("p", { class: win.intact ? "good" : "bad" }, t(win.intact ? "intact" : "broken"))),
    h("div", { class: "signatures", "aria-hidden": "true" }, ["player", "dealer", "supervisor", win.surveillance || win.verified ? "surveillance" : "", "cage"].filter(Boolean).map((who) => h("span", {}, t(`sign.${who}`))))));
}

async function load() {
  win = await get(`wins/${encodeURIComponent(number)}`);
  draw();
}

async function begin() {
  try {
    await load();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    main(h("section", { class: "notice" }, h("h1", {}, t("missing")), h("p", {}, error.message), h("p", {}, h("a", { class: "button", href: "/manager/wins" }, t("all_wins")))));
    return;
  }
  watch([`table/${win.table}`, "floor"], {
    step(subject, step) {
      if (step.events.some((event) => event.win === win.number)) load().catch(complain);
    },
  });
}

begin().catch(complain);
