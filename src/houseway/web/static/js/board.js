// The board: the cards that everybody shares, and the street that was turned over last.

import { card, split } from "./cards.js";
import { h } from "./dom.js";
import { spoken, t } from "./page.js";

/** A hand that all share: the Player's, the Banker's. */
function side(one) {
  return h("div", { class: `side ${one.won ? "is-won" : ""}`, key: one.name, role: "group", "aria-label": spoken(one.name) },
    h("p", { class: "side-name" }, spoken(one.name), one.points === "" ? null : h("span", { class: "side-points" }, one.points)),
    h("span", { class: "cards" }, split(one.cards).map((text, place) => card(text, { key: `${one.name}-${place}-${text}`, class: "is-turned" }))));
}

/** The board of a round; nothing where the game has none. A card that is turned over is a new element, and turns. */
export function board(play) {
  if (play?.sides.length) return h("div", { class: "sides", key: "sides" }, h("div", { class: "sides-hands" }, play.sides.map(side)));
  if (!play?.board) return null;
  return h("div", { class: "board", key: "board", role: "group", "aria-label": t("board") },
    h("p", { class: "board-street", role: "status", "aria-live": "polite" }, play.street || t("board")),
    h("span", { class: "cards" }, split(play.board).map((text, place) => card(text, { key: `board-${place}-${text}`, class: text === "??" ? "is-down" : "is-turned" }))));
}
