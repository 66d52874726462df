// The money bag: the icon on a win that opens its win page.

import { h } from "./dom.js";

/** The icon. It is drawn beside words, or inside a link that has its own name, so it says nothing itself. */
export function moneyBag(attributes = {}) {
  return h("svg", { viewBox: "0 0 48 48", "aria-hidden": "true", focusable: "false", ...attributes, class: `money-bag ${attributes.class ?? ""}` },
    h("path", { class: "bag-cloth", d: "M15.6 5.2c2.4 2.6 4.4-.6 8.4.9 4-1.5 6 1.7 8.4-.9L29.8 13H18.2z" }),
    h("path", { class: "bag-cloth", d: "M18 16.4C10.4 21 5.6 28.6 6.4 36c.6 5.6 5.8 8 17.6 8s17-2.4 17.6-8c.8-7.4-4-15-11.6-19.6z" }),
    h("rect", { class: "bag-cord", x: 15.6, y: 12.4, width: 16.8, height: 4.4, rx: 2.2 }),
    h("path", { class: "bag-sign", d: "M28.6 26.2c-1-1.7-2.7-2.4-4.6-2.4-2.6 0-4.6 1.3-4.6 3.4 0 4.8 9.4 2.2 9.4 7 0 2.2-2.1 3.5-4.8 3.5-2.1 0-4-.8-4.9-2.6M24 21.2v19" }));
}

/** The icon as a link to a win's page. */
export function winLink(win, label) {
  return h("a", { class: "bag-link", href: `/manager/wins/${win}`, "aria-label": label, title: label }, moneyBag());
}
