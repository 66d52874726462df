// The keypad generation's console: a small display of lines, and keys.

import { h } from "./dom.js";
import { handName } from "./felt.js";
import { dollars } from "./money.js";
import { gameName, t } from "./page.js";

/** The lines on the console's display. */
export function lines(doc, ui, stage, meters) {
  const side = doc.progressive;
  const found = [`${doc.table} ${gameName(doc.game)}`, t("lcd_round", { round: side?.round ?? doc.play?.round ?? 0, stage })];
  if (side) found.push(side.lit.length ? t("lcd_lit", { spots: side.lit.join(" ") }) : t("lcd_none"));
  for (const [meter, cents] of meters) found.push(`${meters.length > 1 ? `${meter} ` : ""}${dollars(cents)}`);
  for (const claim of side?.claims ?? []) {
    found.push(t(claim.at_j_pot ? "lcd_fixed" : "lcd_claim", { spot: claim.spot, hand: handName(claim.hand), amount: dollars(claim.due_cents) }));
  }
  if (ui.spot) found.push(t("lcd_spot", { spot: ui.spot }));
  return found;
}

/** The display. */
export function lcd(doc, ui, stage, meters) {
  return h("div", { class: "lcd", role: "group", "aria-label": t("lcd"), key: "lcd" }, lines(doc, ui, stage, meters).map((line) => h("p", {}, line)));
}

/** One key of the console. */
export function key(words, press, { kind = "", on = true, pressed = undefined, busy = false, label = undefined } = {}) {
  return h("button", {
    class: `key ${kind}`, type: "button", disabled: !on || busy, "aria-pressed": pressed === undefined ? undefined : String(pressed), "aria-label": label,
    "data-busy": busy ? "1" : undefined, onclick: press, key: `key-${words}`,
  }, words);
}

/** The hand buttons: those of the pay table, for the spot that is chosen. */
export function handKeys(doc, ui, may, press, busy) {
  if (!doc.hands.length) return null;
  const claim = doc.progressive?.claims.find((one) => one.spot === ui.spot);
  return h("div", { class: "hand-keys", role: "group", "aria-label": ui.spot ? t("hands_of", { spot: ui.spot }) : t("hands_pick"), key: "hands" },
    doc.hands.map((hand) => key(handName(hand), () => press(hand), { on: may(hand), pressed: claim?.hand === hand, busy: busy(hand) })));
}
