// What the system saw of a win: the spot's cards, or that it saw none.

import { cards } from "./cards.js";
import { h } from "./dom.js";
import { t } from "./page.js";

/** The cards of a spot as they lie, with the name of the hand. */
export function evidence(doc, number, hand) {
  if (!doc.play) return h("p", { class: "unseen-cards" }, t("cards_seen.unseen"));
  const spot = doc.play.spots.find((one) => one.spot === number);
  if (!spot?.cards) return h("p", { class: "unseen-cards" }, t("cards_seen.none"));
  return h("div", { class: "claim-cards" }, cards(spot.cards, { "aria-label": t("cards_seen.of", { spot: number }) }),
    spot.cards.includes("??") ? h("small", {}, t("cards_seen.closed")) : h("small", { class: "good" }, t("cards_seen.seen", { name: spot.name || hand })));
}
