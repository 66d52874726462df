// The shuffler's screen: what its mode shows, large, and the Cover All column in force with what it pays.

import { complain, get } from "../api.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { data, gameName, spoken, t } from "../page.js";

const table = data.path.table;
const SHORT = 12;
let doc = null;
let columns = null;
let lost = false;

function draw() {
  const play = doc.play;
  const [mode, ...lines] = play?.screen ?? [];
  const spots = Object.keys(play?.deck?.player_seeds ?? {});
  main(h("section", { class: "device-screen", "aria-labelledby": "device" },
    h("h1", { id: "device" }, `${t("title")} · ${t("table")} ${table}`, " ", h("small", {}, gameName(doc.game))),
    lost ? h("p", { class: "device-stale", role: "alert" }, t("stale")) : null,
    !play ? h("p", { class: "device-line quiet" }, t("no_shuffler", { table })) : [
      mode ? h("p", { key: "mode", class: "device-mode" }, h("small", {}, t("mode"), " "), h("strong", {}, mode)) : h("p", { key: "mode", class: "device-line quiet" }, t("by_hand")),
      h("div", { key: "lines", class: "device-figures", role: "status" }, lines.map(line)),
      play.stacked.length ? h("p", { key: "stacked", class: "device-line warn" }, t("stacked")) : null,
      play.column ? pays(play.column) : null,
      play.commitment ? h("p", { key: "commitment", class: "commitment" }, h("small", {}, t("commitment"), spots.length ? ` ${t("parts", { spots: spots.join(", ") })}` : ""), h("br"), h("code", {}, play.commitment)) : null]));
}

/** "start position: 4" with its figure large; anything longer as a line of words. */
function line(words) {
  const at = words.indexOf(": ");
  const value = at < 0 ? "" : words.slice(at + 2);
  if (!value || value.length > SHORT) return h("p", { class: "device-line" }, words);
  return h("p", { class: "device-figure" }, h("span", {}, words.slice(0, at)), h("span", { class: "unseen" }, ": "), h("strong", {}, value));
}

function pays(column) {
  const at = columns?.columns.indexOf(column) ?? -1;
  if (at < 0) return null;
  return h("section", { key: "pays", class: "panel device-pays" }, h("h2", {}, t("column", { hands: column })),
    h("table", {}, h("tbody", {}, columns.rows.map((row) => h("tr", {}, h("th", { scope: "row" }, spoken(row.hand)), h("td", { class: "money" }, row.pays[at]))))));
}

async function begin() {
  const path = `tables/${encodeURIComponent(table)}`;
  const [found, { sign }] = await Promise.all([get(path), get(`${path}/sign`)]);
  columns = sign.pay_tables.find((one) => one.columns.length) ?? null;
  doc ??= found;
  draw();
}

begin().catch((error) => {
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
