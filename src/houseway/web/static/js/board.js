// The board: the cards that everybody shares, and the street that was turned over last.

import { card, split } from "./cards.js";
import { h } from "./dom.js";
import { spoken, t } from "./page.js";
import { roads, shoe } from "./roads.js";

/** A hand that all share: the Player's, the Banker's. */
function side(one) {
  return h("div", { class: `side ${one.won ? "is-won" : ""}`, key: one.name, role: "group", "aria-label": spoken(one.name) },
    h("p", { class: "side-name" }, spoken(one.name), one.points === "" ? null : h("span", { class: "side-points" }, one.points)),
    h("span", { class: "cards" }, split(one.cards).map((text, place) => card(text, { key: `${one.name}-${place}-${text}`, class: "is-turned" }))));
}

/** A board of several hands, with the shoe that they come from and its history. */
function sides(play, alone) {
  return h("div", { class: "sides", key: "sides" }, h("div", { class: "sides-hands" }, play.sides.map(side)), alone ? null : [shoe(play), roads(play)]);
}

/** The board of a round; nothing where the game has none. A card that is turned over is a new element, and turns. `alone`: without the shoe. */
export function board(play, { alone = false } = {}) {
  if (play?.sides.length) return sides(play, alone);
  if (!play?.board) return alone ? null : shoe(play);
  return h("div", { class: "board", key: "board", role: "group", "aria-label": t("board") },
    h("p", { class: "board-street", role: "status", "aria-live": "polite" }, play.street || t("board")),
    h("span", { class: "cards" }, split(play.board).map((text, place) => card(text, { key: `board-${place}-${text}`, class: text === "??" ? "is-down" : "is-turned" }))));
}
