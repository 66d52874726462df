// The layout from where the dealer stands: spots in an arc, their sensors, wagers and cards, and the dealer's own place.

import { board } from "./board.js";
import { cards as drawn, split } from "./cards.js";
import { h } from "./dom.js";
import { dollars, whole } from "./money.js";
import { gameName, has, spoken, t } from "./page.js";

/** A hand of the progressive's pay table as people say it. */
export function handName(hand) {
  if (has(`hands.${hand}`)) return t(`hands.${hand}`);
  return /^\d+$/.test(hand) ? t("run_of", { cards: hand }) : spoken(hand);
}

/** A wager as the layout names it. */
export function wagerName(doc, wager) {
  return doc.wagers.find((one) => one.wager === wager)?.label ?? spoken(wager);
}

/** Everything that is known of a spot, put together from the views. */
export function spotOf(doc, number) {
  const shown = doc.play?.spots.find((one) => one.spot === number);
  const side = doc.progressive;
  return {
    number,
    player: shown?.player || doc.play?.seats[number] || "",
    inRound: Boolean(shown),
    wagers: shown?.wagers ?? {},
    cards: shown?.cards ?? "",
    decided: shown?.decided ?? "",
    deciding: shown?.deciding ?? "",
    actions: shown?.actions ?? [],
    high: shown?.set_high ?? "",
    low: shown?.set_low ?? "",
    name: shown?.name ?? "",
    lines: shown?.lines ?? {},
    reconciled: shown?.reconciled ?? [],
    held: shown?.held_for ?? "",
    envyMarker: Boolean(shown?.envy_marker),
    commission: doc.play?.commission[number] ?? 0,
    why: shown?.face_up_for ?? [],
    lit: Boolean(side?.lit.includes(number)),
    booked: Boolean(side?.booked.includes(number)),
    waits: Boolean(side?.waiting.includes(number)),
    folded: Boolean(side?.folded.includes(number)) || Boolean(shown?.folded),
    claim: side?.claims.find((one) => one.spot === number),
    win: side?.wins.find((one) => one.spot === number),
    envy: side?.envy.filter((one) => one.spot === number) ?? [],
    unnamed: side?.unnamed.find(([spot]) => spot === number)?.[1] ?? "",
    stacked: Boolean(doc.play?.stacked.includes(number)),
  };
}

function lamp(spot) {
  const state = spot.lit ? "lit" : spot.waits ? "waits" : "";
  return h("svg", { class: `sensor-lamp ${state}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("circle", { class: "lamp-ring", cx: 12, cy: 12, r: 10.5 }), h("circle", { class: "lamp-glass", cx: 12, cy: 12, r: 7 }));
}

function wagers(spot) {
  return Object.entries(spot.wagers).filter(([wager]) => wager !== "progressive").map(([wager, cents]) => h("span", {
    key: wager, class: `wager ${spot.lines[wager]?.result ?? ""} ${spot.reconciled.includes(wager) ? "done" : ""}`,
  }, h("span", {}, spoken(wager)), h("span", {}, whole(cents))));
}

/** What a spot did so far, and whether it is its turn. */
function did(spot) {
  if (spot.deciding) return h("span", { class: "sign-tag turn", key: "turn" }, [...spot.actions, "…"].join(" · "));
  if (spot.folded || !spot.decided) return null;
  return h("span", { class: "sign-tag good", key: "did" }, spot.actions.join(" · ") || t("in_round"));
}

function signs(spot) {
  return [
    spot.win ? h("span", { class: "sign-tag won", key: "win" }, t("won"), " ", dollars(spot.win.cents)) : null,
    spot.claim ? h("span", { class: "sign-tag claim", key: "claim" }, t("claims")) : null,
    spot.unnamed ? h("span", { class: "sign-tag claim", key: "unnamed" }, t("not_named")) : null,
    spot.folded ? h("span", { class: "sign-tag", key: "fold" }, t("folded")) : null,
    !Object.keys(spot.lines).length ? did(spot) : null,
    spot.envyMarker ? h("span", { class: "sign-tag", key: "envy-marker" }, t("envy_marker")) : null,
    spot.commission ? h("span", { class: "sign-tag", key: "commission" }, t("owes", { amount: dollars(spot.commission) })) : null,
    spot.stacked ? h("span", { class: "sign-tag demo", key: "stacked" }, t("chosen")) : null,
    spot.held ? h("span", { class: "sign-tag", key: "held" }, t("held")) : null,
  ];
}

function spoken_spot(doc, spot, lights) {
  const parts = [`${t("spot")} ${spot.number}`];
  if (spot.player) parts.push(spot.player);
  if (doc.progressive) parts.push(t(spot.lit ? "sensor_lit" : spot.waits ? "sensor_waits" : "sensor_dark"));
  for (const [wager, cents] of Object.entries(spot.wagers)) parts.push(`${wagerName(doc, wager)} ${dollars(cents)}`);
  if (spot.envyMarker) parts.push(t("envy_marker"));
  if (spot.commission) parts.push(t("owes", { amount: dollars(spot.commission) }));
  if (spot.folded) parts.push(t("folded"));
  if (spot.claim) parts.push(t("claims"), handName(spot.claim.hand));
  if (spot.win) parts.push(t("won"), dollars(spot.win.cents));
  if (lights) parts.push(t("tap_sensor"));
  return parts.join(", ");
}

function fan(text, more = "") {
  return text ? h("span", { class: `fan n-${split(text).length} ${more}` }, drawn(text)) : null;
}

function face(doc, number, ui, on) {
  const spot = spotOf(doc, number);
  if (ui.hoped.has(number)) spot.lit = ui.hoped.get(number).lit;
  const state = [
    spot.lit ? "is-lit" : "", ui.spot === number ? "chosen" : "", doc.step?.lines.some((line) => line.spot === number) ? "next" : "", spot.folded ? "is-folded" : "",
    spot.claim || spot.unnamed ? "is-claim" : "", spot.win ? "is-won" : "", ui.hoped.has(number) ? "going" : "", spot.player || spot.lit ? "" : "empty-seat",
  ].join(" ");
  const content = [
    h("span", { class: "spot-head" }, doc.progressive ? lamp(spot) : null, h("span", { class: "spot-number" }, number)),
    h("span", { class: "spot-player" }, spot.player || (doc.play ? t("free") : "\u00a0")),
    spot.high ? h("span", { class: "set" }, fan(spot.high), fan(spot.low, "low")) : fan(spot.cards),
    h("span", { class: "spot-wagers" }, wagers(spot)),
    h("span", { class: "spot-signs" }, signs(spot)),
  ];
  const lights = on.lights(spot);
  const place = { class: `spot at-${number} ${state}`, key: `spot-${number}` };
  if (!on.tap) return h("div", { ...place, role: "img", "aria-label": spoken_spot(doc, spot, false) }, content);
  return h("button", {
    ...place, type: "button", "aria-label": spoken_spot(doc, spot, lights), "aria-pressed": lights ? String(spot.lit) : String(ui.spot === number),
    disabled: lights && ui.lost, onclick: () => on.tap(number),
  }, content);
}

function dealer(doc) {
  const play = doc.play;
  const calls = play?.dealer_plays === true ? t("dealer_plays") : play?.dealer_plays === false ? t("dealer_does_not_play") : "";
  return h("div", { class: "dealer-place", role: "group", "aria-label": t("dealer") },
    h("span", { class: "dealer-words" }, t("dealer"),
      play?.stacked.includes(0) ? h("span", { class: "sign-tag demo" }, t("chosen")) : null),
    play?.dealer ? fan(play.dealer, "wide") : h("span", { class: "house-name" }, gameName(doc.game)),
    play?.dealer_hand ? h("span", { class: "dealer-hand" }, play.dealer_hand, calls ? h("small", {}, calls) : null) : null);
}

/** The layout. `on.tap(spot)` where it may be pressed; `on.lights(spot)` says whether a tap is a chip on the sensor. */
export function felt(doc, ui, on) {
  return h("section", { class: `felt of-${doc.spots}`, "aria-label": t("layout"), key: "felt" },
    h("svg", { class: "felt-cloth", viewBox: "0 0 1000 460", preserveAspectRatio: "none", "aria-hidden": "true" },
      h("path", { class: "rail", d: "M3 457 L3 150 C120 40 320 3 500 3 C680 3 880 40 997 150 L997 457 Z" }),
      h("path", { class: "cloth", d: "M15 457 L15 158 C130 54 324 19 500 19 C676 19 870 54 985 158 L985 457 Z" }),
      h("path", { class: "chalk-line", d: "M60 457 C120 380 300 338 500 338 C700 338 880 380 940 457" })),
    h("div", { class: "spots" }, Array.from({ length: doc.spots }, (_, at) => face(doc, at + 1, ui, on))),
    h("div", { class: "felt-middle" }, doc.play?.sides.length ? null : dealer(doc), board(doc.play)));
}
