// The board: the cards that everybody shares, and the street that was turned over last.

import { card, split } from "./cards.js";
import { h } from "./dom.js";
import { t } from "./page.js";

/** The board of a round; nothing where the game has none. A card that is turned over is a new element, and turns. */
export function board(play) {
  if (!play?.board) return null;
  return h("div", { class: "board", key: "board", role: "group", "aria-label": t("board") },
    h("p", { class: "board-street", role: "status", "aria-live": "polite" }, play.street || t("board")),
    h("span", { class: "cards" }, split(play.board).map((text, place) => card(text, { key: `board-${place}-${text}`, class: text === "??" ? "is-down" : "is-turned" }))));
}
