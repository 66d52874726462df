// The progressive display: a link's meters, as large as the screen. Nothing can be done from it.

import { useToken } from "../api.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { dollars, wide } from "../money.js";
import { data, has, spoken, t } from "../page.js";
import { Rolling } from "../rolling.js";

const CELEBRATE = 20_000;
const FRAME = 40;
const MOST_WINS = 3;
const LONG_NAME = 32;
const link = data.path.link;
const still = matchMedia("(prefers-reduced-motion: reduce)");

let view = null;
let lost = "";
let refused = "";
let wins = [];
const logged = new Map();
const rolls = new Map();

/** A device's token comes in the address once, and is kept for this window alone. */
function token() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(`token/${link}`, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(`token/${link}`) ?? "";
}

// ------------------------------------------------------------------------------------------------------ what is shown

function draw() {
  if (refused) return main(sign("refused", t("refused_title"), refused, t("needs_token")));
  if (lost === "stalled") return main(sign("lost", t("stalled_title"), t("stalled_words"), view?.name ?? ""));
  if (lost) return main(sign("lost", t("lost_title"), t("lost_words"), view?.name ?? ""));
  if (!view) return main(sign("waits", t("connecting")));
  const many = view.meters.filter((meter) => meter.opened && !meter.retired);
  if (!many.length) return main(sign("waits", view.name, t("not_open")));
  const size = many.length > 3 ? "many" : many.length;
  const longest = Math.max(...many.map((meter) => words(meter.cents).length));
  main(h("section", { key: "meters", class: `display meters-${size} ${wide(longest)} ${wins.length ? "celebrating" : ""}`, "aria-label": t("title") },
    h("h1", { class: `display-name ${view.name.length > LONG_NAME ? "long" : ""}` }, view.name),
    h("div", { class: "display-said" }, view.stops.length ? h("p", { class: "display-stop", role: "status" }, t("closed")) : null),
    h("div", { class: "display-wins", role: "status" }, wins.map((win) => celebration(win))),
    h("div", { class: "display-meters" }, many.map((meter) => place(meter, many.length))),
    h("p", { class: "display-tables" }, view.tables.map((table) => h("span", { key: table }, table)))));
}

/** A few words in place of any figure. */
function sign(kind, title, ...words) {
  return h("section", { key: kind, class: `display-sign ${kind}`, role: kind === "waits" ? "status" : "alert" },
    h("h1", {}, title), words.filter(Boolean).map((one) => h("p", {}, one)));
}

function place(meter, count) {
  const pending = view.pending.filter((one) => one.meter === meter.meter);
  return h("div", { class: `display-meter ${pending.length ? "pending" : ""}`, key: meter.meter },
    count > 1 ? h("h2", {}, spoken(meter.meter)) : null,
    pending.length
      ? [h("div", { key: "pending", class: `display-claims claims-${Math.min(pending.length, 3)}`, role: "status" }, pending.map(claim)),
        h("p", { key: "next", class: "display-next" }, h("span", {}, t("next_prize")), " ", figure(`next/${meter.meter}`, view.next_cents[meter.meter] ?? 0))]
      : h("p", { key: "amount", class: "display-amount" }, figure(meter.meter, meter.cents)));
}

function claim(one) {
  const amount = words(one.cents);
  return h("p", { class: "display-claim" }, h("span", { class: "display-badge" }, t("pending")), " ",
    h("span", { class: "money" }, amount), " ", h("span", { class: "display-at" }, t("at_table", { table: one.table })));
}

/** An amount that counts up; a screen reader is told the true one. */
function figure(key, cents) {
  const now = performance.now();
  if (still.matches || !rolls.has(key)) rolls.set(key, new Rolling(cents));
  rolls.get(key).aim(cents, now);
  return h("span", { class: "money", role: "img", "aria-label": words(cents), "data-amount": key }, words(rolls.get(key).at(now)));
}

function words(cents) {
  return dollars(cents, view.currency);
}

/** For the size of the type: how wide a digit is in the font that this screen has. */
function measure() {
  const pen = document.createElement("canvas").getContext("2d");
  const family = getComputedStyle(document.documentElement).getPropertyValue("--font-figures");
  pen.font = `800 100px ${family}`;
  document.documentElement.style.setProperty("--digit", String(pen.measureText("0").width / 100));
}

function celebration(win) {
  const amount = words(win.cents);
  return h("div", { class: `display-won ${wide(amount.length)}`, key: `${win.win}` },
    still.matches ? null : h("div", { class: "display-confetti", "aria-hidden": "true" }, Array.from({ length: 18 }, () => h("span"))),
    h("p", { class: "display-won-words" }, t(win.jackpot ? "jackpot_won" : "won")),
    h("p", { class: "display-won-amount" }, h("span", { class: "money" }, amount)),
    h("p", { class: "display-won-where" }, `${spoken(win.hand)} · ${t("at_table", { table: win.table })}`));
}

// -------------------------------------------------------------------------------------------------- counting, winning

setInterval(() => {
  const now = performance.now();
  for (const found of document.querySelectorAll("[data-amount]")) {
    const amount = words(rolls.get(found.dataset.amount).at(now));
    if (found.textContent !== amount) found.textContent = amount;
  }
}, FRAME);

/** A win is celebrated when it is paid, with the amount that was logged; one of long ago, heard of late, is not. */
function happened(step) {
  for (const event of step.events) {
    if (event.type === "win_logged") logged.set(event.win, event);
    if (event.type !== "win_paid" || !logged.has(event.win)) continue;
    const { cents, hand } = logged.get(event.win);
    logged.delete(event.win);
    if (step.previous === undefined && Date.now() - step.at / 1000 > CELEBRATE) continue;
    celebrate({ win: event.win, cents, hand, table: step.table, jackpot: event.reseeded });
  }
}

function celebrate(win) {
  wins = [win, ...wins.filter((one) => one.win !== win.win)].slice(0, MOST_WINS);
  draw();
  setTimeout(() => {
    wins = wins.filter((one) => one !== win);
    draw();
  }, CELEBRATE);
}

/** Why nothing is shown, in words for whoever stands before the screen. */
function why(problem) {
  const name = `refusals.${(problem.type ?? "").split(":").at(-1)}`;
  return has(name) ? t(name, { link }) : problem.detail;
}

// ------------------------------------------------------------------------------------------------------------ the link

measure();
useToken(token());
addEventListener("hashchange", () => useToken(token()));
draw();
watch([`link/${link}`], {
  view(subject, now) {
    view = now;
    refused = "";
    draw();
  },
  meters(subject, message) {
    if (!view) return;
    view = { ...view, meters: view.meters.map((meter) => ({ ...meter, cents: message.meters[meter.meter] ?? meter.cents })), next_cents: message.next_cents };
    draw();
  },
  step(subject, step) {
    happened(step);
  },
  lost(how) {
    lost = how;
    rolls.clear();
    draw();
  },
  back() {
    lost = "";
    rolls.clear();
    // The view that comes with the word, where one does, is what is drawn.
    queueMicrotask(draw);
  },
  refused(problem) {
    view = null;
    wins = [];
    rolls.clear();
    refused = why(problem);
    draw();
  },
});
