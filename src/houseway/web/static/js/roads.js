// The shoe: how much of it is left, and its history as bead road and big road. The server says which mark stands where.

import { h } from "./dom.js";
import { spoken, t } from "./page.js";

const CELL = 14;
const ROWS = 6;
const LEAST = 12;

function mark(cell, hollow) {
  const [x, y] = [CELL * cell.column + CELL / 2, CELL * cell.row + CELL / 2];
  return h("g", { key: `${cell.column}/${cell.row}` },
    h("circle", { class: `road-mark of-${cell.side} ${hollow ? "is-hollow" : ""}`, cx: x, cy: y, r: CELL / 2 - 2 }),
    hollow ? null : h("text", { class: "road-letter", x, y: y + 3, "text-anchor": "middle" }, cell.side[0].toUpperCase()),
    cell.ties ? h("line", { class: "road-tie", x1: x - 4, y1: y + 4, x2: x + 4, y2: y - 4 }) : null,
    cell.ties > 1 ? h("text", { class: "road-ties", x: x + 4, y: y + 5, "text-anchor": "middle" }, String(cell.ties)) : null);
}

function road(name, cells, hollow) {
  const columns = Math.max(LEAST, ...cells.map((cell) => cell.column + 1));
  const [wide, high] = [CELL * columns, CELL * ROWS];
  const lines = [
    ...Array.from({ length: columns + 1 }, (_, at) => h("line", { class: "road-line", key: `v${at}`, x1: CELL * at, y1: 0, x2: CELL * at, y2: high })),
    ...Array.from({ length: ROWS + 1 }, (_, at) => h("line", { class: "road-line", key: `h${at}`, x1: 0, y1: CELL * at, x2: wide, y2: CELL * at })),
  ];
  const words = cells.map((cell) => spoken(cell.side)).join(", ");
  return h("figure", { class: "road", key: name }, h("figcaption", {}, t(name)),
    h("div", { class: "road-window" }, h("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide * 1.4, height: high * 1.4, role: "img", "aria-label": `${t(name)}: ${words || t("road_empty")}` }, lines, cells.map((cell) => mark(cell, hollow)))));
}

/** What is left of the shoe; nothing where every round has a deck of its own. */
export function shoe(play) {
  const now = play?.shoe;
  if (!now) return null;
  if (now.known === "unknown") return h("p", { class: "shoe-words", key: "shoe" }, t("shoe_unknown", { decks: now.decks }));
  const share = now.cards ? now.left / now.cards : 0;
  return h("div", { class: "shoe", key: "shoe" },
    h("p", { class: "shoe-words" }, t(now.known === "entered" ? "shoe_entered" : "shoe_left", { left: now.left, cards: now.cards }), h("small", {}, now.last_round ? t("shoe_last") : t("shoe_cut", { cards: now.before_cut }))),
    h("svg", { class: "shoe-bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
      h("rect", { class: "shoe-all", width: 100, height: 6 }), h("rect", { class: "shoe-now", width: 100 * share, height: 6 }),
      h("rect", { class: "shoe-cut", x: 100 * (now.left - now.before_cut) / (now.cards || 1), width: 1, height: 6 })));
}

/** The history of the shoe, at a game whose rounds are won by a side. */
export function roads(play) {
  if (!play?.shoe || !play.sides.length) return null;
  return h("div", { class: "roads", key: "roads" }, road("bead_road", play.shoe.bead_road, false), road("big_road", play.shoe.big_road, true));
}
