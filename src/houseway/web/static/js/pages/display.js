// The progressive display: a link's meters, as large as the screen. Nothing can be done from it.

import { useToken } from "../api.js";
import { h, main, show } from "../dom.js";
import { watch } from "../live.js";
import { dollars } from "../money.js";
import { data, spoken, t } from "../page.js";
import { next } from "../rolling.js";

const CELEBRATE = 20_000;
const FRAME = 50;
const link = data.path.link;
const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

let view = null;
let lost = false;
let refused = "";
let won = null;
const shown = new Map();
const amounts = new Map();

/** A device's token comes in the address once, and is kept for this window alone. */
function token() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(`token/${link}`, given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem(`token/${link}`) ?? "";
}

function open() {
  return view.meters.filter((meter) => meter.opened && !meter.retired);
}

function draw() {
  const root = document.documentElement;
  root.dataset.lost = lost ? "1" : "";
  if (refused) return main(h("section", { class: "display-sign", role: "alert" }, h("h1", {}, t("refused_title")), h("p", {}, refused), h("p", {}, t("needs_token"))));
  if (!view) return main(h("section", { class: "display-sign" }, h("h1", {}, lost ? t("lost_title") : t("connecting"))));
  if (lost) return main(h("section", { class: "display-sign lost", role: "alert" }, h("h1", {}, view.name), h("p", { class: "huge" }, t("lost_title")), h("p", {}, t("lost_words"))));
  const many = open();
  main(h("section", { class: `display meters-${Math.min(many.length, 3)}`, "aria-label": t("title") },
    h("h1", { class: "display-name" }, view.name),
    view.stops.length ? h("p", { class: "display-stop", role: "status" }, t("closed")) : null,
    h("div", { class: "display-meters" }, many.map((meter) => place(meter, many.length))),
    won ? celebration() : null,
    h("p", { class: "display-tables" }, view.tables.join(" · "))));
}

function place(meter, count) {
  const pending = view.pending.filter((one) => one.meter === meter.meter);
  return h("div", { class: `display-meter ${pending.length ? "pending" : ""}`, key: meter.meter },
    count > 1 ? h("h2", {}, spoken(meter.meter)) : null,
    pending.length
      ? [h("p", { class: "display-pending", role: "status" }, pending.map((one) => h("span", { class: "display-claim" }, h("strong", {}, t("pending")), " ", h("span", { class: "money" }, dollars(one.cents, view.currency)), " ", h("small", {}, t("at_table", { table: one.table }))))),
        h("p", { class: "display-next" }, t("next_prize"), " ", figure(`next/${meter.meter}`, view.next_cents[meter.meter] ?? 0))]
      : h("p", { class: "display-amount" }, figure(meter.meter, meter.cents)));
}

/** An amount that counts up; a screen reader is told the true one. */
function figure(key, cents) {
  amounts.set(key, cents);
  if (still || !shown.has(key)) shown.set(key, cents);
  return h("span", { class: "money", "data-own": "1", "data-amount": key, "aria-label": dollars(cents, view.currency) }, dollars(shown.get(key), view.currency));
}

function celebration() {
  return h("div", { class: "display-won", role: "status", "aria-live": "assertive" },
    still ? null : h("div", { class: "display-confetti", "aria-hidden": "true" }, Array.from({ length: 24 }, (_, number) => h("span", { class: `bit bit-${number % 6}` }))),
    h("p", { class: "display-won-words" }, t("won")),
    h("p", { class: "huge money" }, dollars(won.cents, view.currency)),
    h("p", {}, `${spoken(won.hand)} · ${t("at_table", { table: won.table })}`));
}

let before = performance.now();
setInterval(() => {
  const now = performance.now();
  for (const place of document.querySelectorAll("[data-amount]")) {
    const key = place.dataset.amount;
    const truth = amounts.get(key);
    const amount = still ? truth : next(shown.get(key), truth, now - before);
    if (amount !== shown.get(key) || !place.textContent) {
      shown.set(key, amount);
      show(place, dollars(amount, view.currency));
    }
    const words = dollars(amount, view.currency);
    if (place.textContent !== words) place.textContent = words;
  }
  before = now;
}, FRAME);

useToken(token());
draw();
watch([`link/${link}`], {
  view(subject, now) {
    view = now;
    refused = "";
    draw();
  },
  meters(subject, message) {
    if (!view) return;
    view.meters = view.meters.map((meter) => ({ ...meter, cents: message.meters[meter.meter] ?? meter.cents }));
    view.next_cents = message.next_cents;
    draw();
  },
  step(subject, step) {
    const win = step.events.find((event) => event.type === "win_logged");
    if (!win) return;
    won = { cents: win.cents, hand: win.hand, table: step.table };
    draw();
    const mine = won;
    setTimeout(() => {
      if (won === mine) {
        won = null;
        draw();
      }
    }, CELEBRATE);
  },
  lost() {
    lost = true;
    won = null;
    draw();
  },
  back() {
    lost = false;
    draw();
  },
  refused(problem) {
    view = null;
    refused = problem.detail;
    draw();
  },
});
