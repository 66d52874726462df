// Presenting a card and PIN on a screen where another is signed in: for one order, and no other.

import { newKey, order, post, pressing, Refused } from "./api.js";
import { h } from "./dom.js";
import { data, t } from "./page.js";

/**
 * Ask for somebody's card and PIN and give an order in that person's name ("by"), with them as second person
 * ("second"), or for both of them one after the other (["by", "second"]).
 * Answers with what the order answered, or null when it was given up.
 */
export function withCard(title, path, body, as = "by", more = null) {
  return new Promise((resolve) => {
    const roles = [as].flat();
    const key = newKey();
    const shown = {};
    let turn = 0;
    let answer = null;
    const error = h("p", { class: "field-error", role: "alert" });
    const card = h("input", { name: "card", inputmode: "numeric", autocomplete: "off", required: true });
    const pin = h("input", { name: "pin", type: "password", inputmode: "numeric", autocomplete: "off", required: true });
    const whose = h("p", { class: "whose-card", role: "status" });
    const tell = () => { whose.textContent = roles.length > 1 || roles[turn] === "second" ? t(`presents.${roles[turn]}`) : ""; };
    const present = async (number, secret) => {
      error.textContent = "";
      try {
        shown[roles[turn]] = (await post("presence", { card: number, pin: secret, key, path, role: roles[turn] })).token;
        if (turn < roles.length - 1) {
          turn += 1;
          tell();
          card.value = pin.value = "";
          card.focus();
          return;
        }
        answer = await order(path, typeof body === "function" ? body() : body, { key, ...shown });
        dialog.close();
      } catch (refused) {
        if (!(refused instanceof Refused)) throw refused;
        error.textContent = refused.message;
        pin.value = "";
        pin.focus();
      }
    };
    const give = pressing((event) => {
      event.preventDefault();
      return present(card.value.trim(), pin.value);
    });
    tell();
    const dialog = h("dialog", { "aria-label": title, onclose: () => { dialog.remove(); resolve(answer); } },
      h("form", { onsubmit: give },
        h("h2", {}, title), more, whose, anybody((one) => present(one.card, data.demo.pin)),
        h("label", {}, t("card"), card), h("label", {}, t("pin"), pin), error,
        h("div", { class: "row" },
          h("button", { class: "button main big", type: "submit" }, t("confirm")),
          h("button", { class: "button", type: "button", onclick: () => dialog.close() }, t("cancel")))));
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector("input, select, textarea").focus();
  });
}

/** On a demonstration floor: one press presents the card of anybody else on its staff. */
function anybody(press) {
  if (!data.demo) return null;
  return h("div", { class: "demo-cards" }, h("p", {}, t("demo_press")),
    h("div", { class: "row" }, data.demo.people.filter((one) => one.id !== data.who.id).map((one) => h("button", {
      class: "button", type: "button", onclick: pressing(() => press(one)),
    }, one.name))));
}
