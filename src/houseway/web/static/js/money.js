// Money on the pages: whole cents in, words out. The only place where an amount is written.

import { data } from "./page.js";
import { h } from "./dom.js";

const wholes = new Map();

function format(currency) {
  if (!wholes.has(currency)) {
    wholes.set(currency, new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency, minimumFractionDigits: 2 }));
  }
  return wholes.get(currency);
}

/** An amount in words: $1,234.56. Whole cents are exact in a number up to ninety trillion dollars. */
export function dollars(cents, currency = data.currency) {
  return format(currency).format(cents / 100);
}

/** An amount where there is little room: without cents where it has none. */
export function whole(cents) {
  return dollars(cents).replace(/\.00$/, "");
}

/** An amount as an element. */
export function money(cents, attributes = {}, currency = data.currency) {
  return h("span", { ...attributes, class: `money ${attributes.class ?? ""}` }, dollars(cents, currency));
}

/** For the size of the type: how many characters an amount takes. */
export function wide(characters) {
  return `wide-${Math.min(16, Math.max(6, characters))}`;
}

/** Whole cents from what somebody typed: "12.50", "12", "$1,200". NaN where it is no amount. */
export function cents(text) {
  const plain = String(text).trim().replace(/[$,\s]/g, "");
  if (!/^-?\d{1,12}(\.\d{1,2})?$/.test(plain)) return NaN;
  const [whole, part = ""] = plain.replace("-", "").split(".");
  const amount = Number(whole) * 100 + Number(part.padEnd(2, "0"));
  return plain.startsWith("-") ? -amount : amount;
}

const parts = new Map();

/** An amount of the books, in millionths, in words: whole cents, and as many more decimals as it has. */
export function exact(micros, currency = data.currency) {
  if (!parts.has(currency)) {
    parts.set(currency, new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency, minimumFractionDigits: 2, maximumFractionDigits: 6 }));
  }
  return parts.get(currency).format(micros / 1_000_000);
}
