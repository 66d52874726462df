// A keypad of all cards: tapped, or typed as "As", "Td", "10d", "Jk". Cards already seen are greyed out.

import { card, cardName } from "./cards.js";
import { h } from "./dom.js";
import { t } from "./page.js";

export const RANKS = "AKQJT98765432";
export const SUITS = "shdc";

/** What typing has come to so far: a rank that waits for its suit. */
let begun = "";

/** Take a key. Answers with a card's text once one is whole, with "" while one is begun, or null where the key is none of ours. */
export function typed(key, joker) {
  const rank = key === "1" || key === "0" ? key : key.toUpperCase();
  if (begun) {
    const suit = key.toLowerCase();
    if (begun === "1") {
      begun = key === "0" ? "T" : "";
      return "";
    }
    if (joker && begun === "J" && suit === "k") return whole("Jk");
    if (SUITS.includes(suit) && suit.length === 1) return whole(`${begun}${suit}`);
  }
  if (rank.length === 1 && (RANKS.includes(rank) || rank === "1")) {
    begun = rank;
    return "";
  }
  return null;
}

function whole(text) {
  begun = "";
  return text;
}

/** The rank that is typed and waits for its suit. */
export function waiting() {
  return begun;
}

export function forget() {
  begun = "";
}

/**
 * The keypad. `taken` are cards that cannot be chosen, `draft` those chosen so far, `need` how many there must be.
 * `on.add(card)`, `on.back()`. `head` and `more` stand beside the chosen cards. `again`: a card may come twice.
 */
export function cardKeypad({ title, need, draft, taken, joker, on, more = null, kind = "", again = false }) {
  const full = draft.length >= need;
  const key = (text, words) => {
    const seen = taken.has(text) || (draft.includes(text) && !again);
    return h("button", {
      class: `card-key ${/[hd]$/.test(text) ? "red" : ""}`, type: "button", key: text, disabled: seen || full,
      "aria-label": seen ? t("card_seen", { card: cardName(text) }) : cardName(text), onclick: () => on.add(text),
    }, words);
  };
  return h("div", { class: `card-pad ${kind}` },
    h("div", { class: "card-pad-head" },
      h("h2", {}, title),
      h("div", { class: "card-slots", role: "group", "aria-label": t("cards_so_far", { have: draft.length, need }), "aria-live": "polite" },
        Array.from({ length: need }, (_, at) => (draft[at] ? card(draft[at], { key: `slot-${at}-${draft[at]}` }) : h("span", { class: "slot", key: `slot-${at}` }, at === draft.length ? begun : "")))),
      h("button", { class: "button", type: "button", disabled: !draft.length, onclick: on.back, "aria-label": t("back_card") }, "⌫"),
      more),
    h("div", { class: `card-keys ${joker ? "with-joker" : ""}`, role: "group", "aria-label": t("card_keys") },
      [...SUITS].map((suit) => [...RANKS].map((rank) => key(`${rank}${suit}`, [
        h("span", { class: "key-rank" }, rank === "T" ? "10" : rank), h("span", { class: "key-suit", "aria-hidden": "true" }, { s: "♠", h: "♥", d: "♦", c: "♣" }[suit])]))),
      joker ? h("div", { class: "joker-place" }, key("Jk", t("joker_key"))) : null));
}
