// Playing cards as SVG, drawn here.

import { h } from "./dom.js";
import { t } from "./page.js";

const PIPS = {
  s: "M12 2C9 7 3 10 3 15a4.5 4.5 0 0 0 7.6 3.2C10.4 20 9.6 21.5 8 22.5h8c-1.6-1-2.4-2.5-2.6-4.3A4.5 4.5 0 0 0 21 15c0-5-6-8-9-13z",
  h: "M12 21.5C9 18 3 14 3 8.5A4.8 4.8 0 0 1 12 6a4.8 4.8 0 0 1 9 2.5C21 14 15 18 12 21.5z",
  d: "M12 2l7.5 10L12 22 4.5 12z",
  c: "M12 2.5a4.3 4.3 0 0 0-3.7 6.5A4.4 4.4 0 1 0 10.9 16c-.1 2.5-.9 4.5-2.6 6h7.4c-1.7-1.5-2.5-3.5-2.6-6a4.4 4.4 0 1 0 2.6-7A4.3 4.3 0 0 0 12 2.5z",
};

/** What a card is called. */
export function cardName(text) {
  if (text === "??") return t("cards.back");
  if (text === "Jk") return t("cards.joker");
  return t("cards.of", { rank: t(`ranks.${text[0]}`), suit: t(`suits.${text[1]}`) });
}

/** Cards of a text such as "As Kd ??". */
export function split(text) {
  return text.split(" ").filter(Boolean);
}

/** One card, by its text: "As", "Td", "Jk", or "??" for its back. */
export function card(text, attributes = {}) {
  const frame = { viewBox: "0 0 60 84", role: "img", "aria-label": cardName(text), ...attributes, class: `playing-card ${attributes.class ?? ""}` };
  if (text === "??") {
    return h("svg", frame, h("rect", { x: 1, y: 1, width: 58, height: 82, rx: 6, fill: "#7c1f2d", stroke: "#fbf7ea", "stroke-width": 2 }),
      h("path", { d: "M8 8h44v68H8z M30 8 52 42 30 76 8 42z M8 8 52 76 M52 8 8 76", fill: "none", stroke: "#e6c874", "stroke-width": 1.6 }));
  }
  const face = h("rect", { x: 1, y: 1, width: 58, height: 82, rx: 6, fill: "#fffdf6", stroke: "#8aa397", "stroke-width": 1.5 });
  if (text === "Jk") {
    return h("svg", frame, face,
      h("text", { x: 30, y: 24, "text-anchor": "middle", "font-size": 13, "font-weight": 800, fill: "#5b2a86" }, "JOKER"),
      h("path", { d: "M30 32l6 12 13 2-9.5 9 2.4 13L30 62l-11.9 6 2.4-13-9.5-9 13-2z", fill: "#b8892f" }));
  }
  const [rank, suit] = [text[0] === "T" ? "10" : text[0], text[1]];
  const ink = suit === "h" || suit === "d" ? "#b5172b" : "#17201c";
  return h("svg", frame, face,
    h("text", { x: 6, y: 25, "font-size": rank === "10" ? 21 : 25, "font-weight": 800, "letter-spacing": rank === "10" ? -2 : 0, fill: ink, "font-family": "system-ui, sans-serif" }, rank),
    h("path", { d: PIPS[suit], fill: ink, transform: "translate(4 28) scale(0.72)" }),
    h("path", { d: PIPS[suit], fill: ink, transform: "translate(22 40) scale(1.45)" }));
}

/** Several cards in a row. */
export function cards(text, attributes = {}) {
  const found = split(text);
  return h("span", { class: "cards", role: "group", ...attributes }, found.map((one) => card(one)));
}
