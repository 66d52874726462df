// The verify display: hands set the house way, each shown only when that may be; until then, who is missing.

import { complain, get } from "../api.js";
import { cards } from "../cards.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { clock, data, t } from "../page.js";

const table = data.path.table;
let doc = null;
let lost = false;

function draw() {
  const play = doc.play;
  main(h("section", { class: "device-screen", "aria-labelledby": "device" },
    h("h1", { id: "device" }, `${t("title")} · ${t("table")} ${table}`),
    lost ? h("p", { class: "device-stale", role: "alert" }, t("stale")) : null,
    !play || !play.display ? h("p", { class: "device-line quiet" }, t(play ? "nothing_yet" : "none", { table })) : [
      h("p", { key: "said", class: "device-line", role: "status" }, play.display),
      h("ul", { key: "spots", class: "verify-spots", "aria-label": t("spots") }, play.spots.map(spot)),
      h("div", { key: "hands", class: "verify-hands" }, play.on_display.map((one, at) => hand(one, at === play.on_display.length - 1)).reverse()),
      h("p", { key: "note" }, h("small", {}, t("later")))]));
}

function spot(one) {
  return h("li", { key: `${one.spot}`, class: one.decided ? "done" : "waits" }, h("strong", {}, `${t("spot")} ${one.spot}`), " ",
    h("span", {}, t(one.decided ? "chosen" : "setting")));
}

function hand(one, last) {
  return h("article", { class: `panel verify-hand ${last ? "last" : ""}`, key: `${one.who}` },
    h("div", { class: "spread" }, h("h2", {}, one.who ? `${t("spot")} ${one.who}` : t("dealer")), h("small", {}, t("shown_at", { time: clock(one.at) }))),
    h("div", { class: "verify-set" },
      h("div", {}, h("small", {}, t("high")), cards(one.high, { "aria-label": t("high") })),
      h("div", {}, h("small", {}, t("low")), cards(one.low, { "aria-label": t("low") }))),
    h("p", { class: "verify-words" }, one.hand));
}

get(`tables/${encodeURIComponent(table)}`).then((found) => {
  doc ??= found;
  draw();
}).catch((error) => {
  main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", { class: "bad" }, error.message)));
  complain(error);
});
watch([`table/${table}`], {
  view(subject, now) {
    doc = now;
    draw();
  },
  lost(how) {
    // A floor that cannot record still tells what stands.
    lost = how === "gone";
    if (doc) draw();
  },
  back() {
    lost = false;
    if (doc) draw();
  },
});
