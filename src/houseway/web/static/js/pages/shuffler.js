// The shuffler's screen: what its mode shows, large.

import { complain, get } from "../api.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { data, gameName, t } from "../page.js";

const table = data.path.table;

function draw(doc) {
  const play = doc.play;
  if (!play) return main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", {}, t("no_shuffler", { table }))));
  main(h("section", { class: "device-screen", "aria-label": t("title") },
    h("h1", {}, `${t("title")} · ${table}`, " ", h("small", {}, gameName(doc.game))),
    play.malfunction ? h("p", { class: "device-line bad", role: "alert" }, t("out_of_order")) : null,
    h("div", { role: "status", "aria-live": "polite" }, play.screen.length ? play.screen.map((line) => h("p", { class: "device-line" }, line)) : h("p", { class: "device-line" }, t("ready"))),
    play.stacked.length ? h("p", { class: "warn" }, t("stacked")) : null,
    play.commitment ? h("p", { class: "commitment" }, h("small", {}, t("commitment"), " "), h("code", {}, play.commitment)) : null));
}

get(`tables/${encodeURIComponent(table)}`).then(draw).catch(complain);
watch([`table/${table}`], { view: (subject, doc) => draw(doc) });
