// The verify display: hands set the house way, each shown only when that may be; until then, who is missing.

import { complain, get } from "../api.js";
import { cards } from "../cards.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { clock, data, t } from "../page.js";

const table = data.path.table;

function draw(doc) {
  const play = doc.play;
  if (!play || !play.display) {
    return main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", {}, play ? t("nothing_yet") : t("none", { table }))));
  }
  main(h("section", { class: "device-screen", "aria-label": t("title") },
    h("h1", {}, `${t("title")} · ${table}`),
    h("p", { class: "device-line", role: "status", "aria-live": "polite" }, play.display),
    h("div", { class: "verify-hands" }, play.on_display.map((one) => h("article", { class: "panel verify-hand", key: `${one.who}` },
      h("div", { class: "spread" }, h("h2", {}, one.who ? `${t("spot")} ${one.who}` : t("dealer")), h("small", {}, clock(one.at))),
      h("div", { class: "row" }, h("div", {}, h("small", {}, t("high")), cards(one.high)), h("div", {}, h("small", {}, t("low")), cards(one.low))),
      h("p", {}, one.hand))))));
}

get(`tables/${encodeURIComponent(table)}`).then(draw).catch(complain);
watch([`table/${table}`], { view: (subject, doc) => draw(doc) });
