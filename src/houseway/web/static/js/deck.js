// The deck of a round: checked against its promise once the round is over, and on a demonstration floor, chosen.

import { get, order, pressing, Refused } from "./api.js";
import { card, cardName, cards, split } from "./cards.js";
import { h, show } from "./dom.js";
import { recordOf, verifyRound } from "./fair.js";
import { t } from "./page.js";
import { verdict } from "./verdict.js";

const RANKS = "AKQJT98765432";
const SUITS = "shdc";

function opened(title, ...children) {
  const dialog = h("dialog", { "aria-label": title, onclose: () => dialog.remove() }, h("div", { class: "spread" }, h("h2", {}, title),
    h("button", { class: "button", type: "button", onclick: () => dialog.close() }, t("close"))), ...children);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Show a round that is over, and check it here, in this browser; `seen` is what this page noted while it was played. */
export async function checkRound(table, round, seen) {
  const body = h("div", { class: "stack" }, h("p", { class: "loading" }, t("loading")));
  opened(t("check.title", { round }), body);
  try {
    const doc = await get(`tables/${encodeURIComponent(table)}/rounds/${round}`);
    const record = recordOf(doc, seen);
    show(body, record.commitment || seen ? [verdict(verifyRound(record), record), keeping(record)] : h("p", {}, t("verdict.no_deck")),
      h("details", {}, h("summary", {}, t("check.words")), h("ol", { class: "round-words" }, doc.words.map((words) => h("li", {}, words)))),
      h("a", { class: "button", href: `/api/v1/tables/${encodeURIComponent(table)}/rounds/${round}.txt`, target: "_blank", rel: "noopener" }, t("check.text")));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    show(body, h("p", { class: "field-error", role: "alert" }, error.message));
  }
}

/** The record to take away, and the page that checks it without this server. */
function keeping(record) {
  const file = URL.createObjectURL(new Blob([`${JSON.stringify(record, null, 2)}\n`], { type: "application/json" }));
  return h("div", { class: "stack" }, h("p", {}, t("check.keep")), h("div", { class: "row" },
    h("a", { class: "button", href: file, download: `${record.table}-${record.round}.json` }, t("check.save_record")),
    h("a", { class: "button", href: "/check", download: "houseway-check.html" }, t("check.save_checker"))));
}

/** On a demonstration floor: choose the cards of a spot. `game` is the game's rule card. */
export function chooseCards(table, spot, game) {
  let chosen = [];
  const body = h("div", { class: "stack" });
  const hands = Object.entries(game.example_hands);
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
      h("div", { class: "pick-grid", role: "group", "aria-label": t("demo.pick", { count: game.player_cards }) }, [...SUITS].map((suit) => [...RANKS].map((rank) => one(`${rank}${suit}`))), game.joker ? one("Jk") : null),
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

