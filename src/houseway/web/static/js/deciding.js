// Deciding: one row of buttons, a choice each; and where a hand is set, the card that is to be the low hand.

import { card, cardName, split } from "./cards.js";
import { h } from "./dom.js";
import { dollars } from "./money.js";
import { t } from "./page.js";

/** Wagers and their amounts in words; `label(wager)` says what the layout calls a wager. */
function adds(wagers, label) {
  return Object.entries(wagers).map(([wager, cents]) => t("adds", { amount: dollars(cents), wager: label(wager) })).join(", ");
}

function figure(value, digits) {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(digits)}`;
}

/** What a choice is worth on average, with its sign, and as an exact fraction. */
function worth(one) {
  return h("span", { class: `worth ${one.best ? "best" : ""}` }, one.best ? h("strong", {}, t("advice.best"), " ") : null,
    h("span", { class: "money" }, figure(one.value, 4)), " ", h("small", { class: "exact" }, t("advice.exactly", { fraction: one.exact })));
}

/** The choices of a decision: big buttons in one row, a fold apart from the rest. */
export function choices(offers, advice, label, act) {
  return h("div", { class: `decide ${advice ? "has-advice" : ""}`, role: "group", "aria-label": t("decide") }, offers.map((offer) => {
    const found = advice?.choices.find((one) => one.action === offer.action);
    const kind = offer.folds ? "folds" : Object.keys(offer.adds).length ? "main" : "";
    return h("button", { class: `button big ${kind}`, type: "button", key: offer.action, onclick: () => act({ action: offer.action }) },
      h("span", { class: "decide-words" }, h("span", { class: "decide-label" }, offer.label), Object.keys(offer.adds).length ? h("small", {}, adds(offer.adds, label)) : null, found ? worth(found) : null));
  }));
}

/** What an optional wager of an offer comes to, where the player makes it. */
export function extra(offer, doubled) {
  return doubled && offer ? Object.values(offer.optional)[0] ?? 0 : 0;
}

/**
 * Setting a hand: `state` holds the low card and whether the optional wager is made, `refused` why that would not do.
 */
export function setting(spot, offers, state, advice, refused, label, change, act) {
  const low = offers.find((one) => one.takes_card);
  const chosen = low.settings.find((one) => one.low === state.low);
  const [wager, cents] = Object.entries(low.optional)[0] ?? [];
  const found = (text) => advice?.choices.find((one) => one.action === low.action && one.card === text && one.extra === state.doubled);
  return h("div", { class: "setting" },
    h("p", { class: "setting-words" }, chosen ? t("setting.set", { low: cardName(chosen.low), hand: chosen.hand }) : t("setting.tap")),
    h("div", { class: "setting-cards", role: "group", "aria-label": t("setting.tap") }, split(spot.cards).map((text) => {
      const value = found(text);
      const fouls = low.settings.find((one) => one.low === text)?.fouls;
      return h("button", { class: "setting-card", type: "button", key: text, "aria-pressed": String(state.low === text), "aria-label": t(fouls ? "setting.low_fouls" : "setting.low", { card: cardName(text) }), onclick: () => change({ ...state, low: state.low === text ? "" : text }) },
        card(text, { "aria-hidden": "true" }), state.low === text ? h("span", { class: "setting-tag" }, t("setting.is_low")) : null,
        value ? h("span", { class: `worth ${value.best ? "best" : ""}`, title: t("advice.exactly", { fraction: value.exact }) }, figure(value.value, 3)) : null);
    })),
    chosen?.fouls ? h("p", { class: "setting-foul", role: "alert" }, h("strong", {}, t("setting.fouls")), " ", t("setting.fouls_words")) : null,
    refused ? h("p", { class: "field-error", role: "alert" }, refused) : null,
    cents ? h("button", { class: "button", type: "button", role: "switch", "aria-checked": String(state.doubled), onclick: () => change({ ...state, doubled: !state.doubled }) },
      h("span", { class: "decide-words" }, h("span", {}, label(wager)), h("small", {}, adds(low.optional, label)))) : null,
    h("div", { class: "decide two" },
      h("button", { class: `button big ${chosen?.fouls ? "danger" : "main"}`, type: "button", disabled: !chosen, onclick: () => act({ action: low.action, card: state.low, cents: extra(low, state.doubled) }) }, t(chosen?.fouls ? "setting.foul_anyway" : "setting.done")),
      offers.filter((one) => !one.takes_card).map((one) => h("button", { class: "button big", type: "button", key: one.action, onclick: () => act({ action: one.action, cents: extra(one, state.doubled) }) }, one.label))));
}
