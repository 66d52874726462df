// Deciding: play or fold, and at pai gow the setting of six cards, by the card that is to be the low hand.

import { card, cardName, split } from "./cards.js";
import { h } from "./dom.js";
import { dollars } from "./money.js";
import { has, spoken, t } from "./page.js";

/** What a choice adds to the wagers, in words. */
function adds(choice) {
  return Object.entries(choice.adds).map(([wager, cents]) => t("adds", { amount: dollars(cents), wager: has(`follows.${wager}`) ? t(`follows.${wager}`) : spoken(wager) })).join(", ");
}

function figure(value, digits) {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(digits)}`;
}

/** What a choice is worth on average, with its sign, and as an exact fraction. */
function worth(one) {
  return h("span", { class: `worth ${one.best ? "best" : ""}` }, one.best ? h("strong", {}, t("advice.best"), " ") : null,
    h("span", { class: "money" }, figure(one.value, 4)), " ", h("small", { class: "exact" }, t("advice.exactly", { fraction: one.exact })));
}

/** Play or fold. */
export function playOrFold(choices, advice, choose) {
  return h("div", { class: "decide", role: "group", "aria-label": t("decide") }, choices.map((choice) => {
    const found = advice?.choices.find((one) => one.choice === choice.choice);
    return h("button", { class: `button big ${choice.choice === "play" ? "main" : ""}`, type: "button", key: choice.choice, onclick: () => choose({ [choice.choice]: true }) },
      h("span", { class: "decide-words" }, h("span", {}, t(`choice.${choice.choice}`)), Object.keys(choice.adds).length ? h("small", {}, adds(choice)) : null, found ? worth(found) : null));
  }));
}

/**
 * Setting six cards: `state` holds the low card and whether the wager is doubled, `refused` why that would not do.
 */
export function setting(spot, choices, state, advice, refused, change, choose) {
  const low = choices.find((one) => one.choice === "low");
  const doubling = choices.find((one) => one.choice === "double_down");
  const chosen = low?.settings.find((one) => one.low === state.low);
  const double = state.doubled && doubling ? { double_down: doubling.adds.double_down } : {};
  const found = (text, doubled) => advice?.choices.find((one) => one.choice.startsWith(`low ${text},`) && one.choice.endsWith(", double down") === doubled);
  return h("div", { class: "setting" },
    h("p", { class: "setting-words" }, chosen ? t("setting.set", { low: cardName(chosen.low), hand: chosen.hand }) : t("setting.tap")),
    h("div", { class: "setting-cards", role: "group", "aria-label": t("setting.tap") }, split(spot.cards).map((text) => {
      const value = found(text, state.doubled);
      const fouls = low?.settings.find((one) => one.low === text)?.fouls;
      return h("button", { class: "setting-card", type: "button", key: text, "aria-pressed": String(state.low === text), "aria-label": t(fouls ? "setting.low_fouls" : "setting.low", { card: cardName(text) }), onclick: () => change({ ...state, low: state.low === text ? "" : text }) },
        card(text, { "aria-hidden": "true" }), state.low === text ? h("span", { class: "setting-tag" }, t("setting.is_low")) : null,
        value ? h("span", { class: `worth ${value.best ? "best" : ""}`, title: t("advice.exactly", { fraction: value.exact }) }, figure(value.value, 3)) : null);
    })),
    chosen?.fouls ? h("p", { class: "setting-foul", role: "alert" }, h("strong", {}, t("setting.fouls")), " ", t("setting.fouls_words")) : null,
    refused ? h("p", { class: "field-error", role: "alert" }, refused) : null,
    doubling && Object.keys(doubling.adds).length ? h("button", { class: "button", type: "button", role: "switch", "aria-checked": String(state.doubled), onclick: () => change({ ...state, doubled: !state.doubled }) },
      h("span", { class: "decide-words" }, h("span", {}, t("choice.double_down")), h("small", {}, adds(doubling)))) : null,
    h("div", { class: "decide two" },
      h("button", { class: `button big ${chosen?.fouls ? "danger" : "main"}`, type: "button", disabled: !chosen, onclick: () => choose({ low: state.low, ...double }) }, t(chosen?.fouls ? "setting.foul_anyway" : "setting.done")),
      h("button", { class: "button big", type: "button", onclick: () => choose({ house_way: true, ...double }) }, t("choice.house_way"))));
}
