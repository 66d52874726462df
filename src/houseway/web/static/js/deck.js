// The deck of a round: checked against its promise once the round is over, and on a demonstration floor, chosen.

import { get, order, pressing, Refused } from "./api.js";
import { card, cardName, cards, split } from "./cards.js";
import { h, show } from "./dom.js";
import { data, t } from "./page.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";

function opened(title, ...children) {
  const dialog = h("dialog", { "aria-label": title, onclose: () => dialog.remove() }, h("div", { class: "spread" }, h("h2", {}, title),
    h("button", { class: "button", type: "button", onclick: () => dialog.close() }, t("close"))), ...children);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

async function sha256(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Show a round that is over, and check here, in this browser, that its deck is the one that was promised. */
export async function checkRound(table, round, promised) {
  const body = h("div", { class: "stack" }, h("p", { class: "loading" }, t("loading")));
  opened(t("check.title", { round }), body);
  try {
    const record = await get(`tables/${encodeURIComponent(table)}/rounds/${round}`);
    const committed = record.steps.find((step) => step.type === "committed");
    const open = record.steps.find((step) => step.type === "opened");
    show(body, committed && open ? await verdict(committed, open, promised) : h("p", {}, t("check.no_deck")),
      h("details", {}, h("summary", {}, t("check.words")), h("ol", { class: "round-words" }, record.words.map((words) => h("li", {}, words)))),
      h("a", { class: "button", href: `/api/v1/tables/${encodeURIComponent(table)}/rounds/${round}.txt`, target: "_blank", rel: "noopener" }, t("check.text")));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    show(body, h("p", { class: "field-error", role: "alert" }, error.message));
  }
}

async function verdict(committed, open, promised) {
  const lines = `houseway deck 1\n${open.order}\n${committed.start}\n${open.nonce}\n`;
  const kept = !promised || promised === committed.commitment;
  const found = crypto.subtle ? await sha256(lines) : "";
  const good = kept && found === committed.commitment;
  return h("div", { class: "stack" },
    h("p", { class: `check-verdict ${found ? (good ? "good" : "bad") : ""}`, role: "status" }, found ? t(good ? "check.good" : "check.bad") : t("check.cannot")),
    h("p", {}, h("small", {}, t("check.promised")), h("br"), h("code", {}, promised || committed.commitment)),
    h("p", {}, h("small", {}, t("check.made_of")), h("br"), h("code", { class: "check-lines" }, lines)));
}

/** On a demonstration floor: choose the cards of a spot. `game` is the game's rule card. */
export function chooseCards(table, spot, game) {
  let chosen = [];
  const body = h("div", { class: "stack" });
  const hands = Object.entries(data.text.hands_to_choose[game.game] ?? {});
  const use = (text) => pressing(async () => {
    try {
      await order(`tables/${encodeURIComponent(table)}/stack-deck`, { spot, cards: text });
      dialog.close();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      draw(error.message);
    }
  });
  const toggle = (text) => () => {
    chosen = chosen.includes(text) ? chosen.filter((one) => one !== text) : [...chosen, text].slice(-game.player_cards);
    draw();
  };
  const one = (text) => h("button", { class: "pick", type: "button", key: text, "aria-pressed": String(chosen.includes(text)), "aria-label": cardName(text), onclick: toggle(text) }, card(text, { "aria-hidden": "true" }));

  function draw(error = "") {
    show(body,
      h("p", { class: "demo-sign" }, t("demo.words")),
      hands.length ? h("div", { class: "row" }, hands.map(([name, text]) => h("button", { class: "button", type: "button", key: name, onclick: () => { chosen = split(text); draw(); } }, name))) : null,
      h("div", { class: "pick-grid", role: "group", "aria-label": t("demo.pick", { count: game.player_cards }) }, [...SUITS].map((suit) => [...RANKS].map((rank) => one(`${rank}${suit}`))), game.cards > 52 ? one("Jk") : null),
      h("div", { class: "demo-chosen", role: "status" }, h("span", {}, t("demo.count", { chosen: chosen.length, count: game.player_cards })), cards(chosen.join(" "))),
      error ? h("p", { class: "field-error", role: "alert" }, error) : null,
      h("div", { class: "row" },
        h("button", { class: "button main big", type: "button", disabled: chosen.length !== game.player_cards, onclick: use(chosen.join(" ")) }, t("demo.use")),
        h("button", { class: "button big", type: "button", onclick: use("") }, t("demo.none"))));
  }
  const dialog = opened(t("demo.title"), body);
  dialog.classList.add("wide-dialog");
  draw();
}

