// Presenting a card and PIN on a screen where another is signed in: for one order, and no other.

import { newKey, order, post, pressing, Refused } from "./api.js";
import { h } from "./dom.js";
import { t } from "./page.js";

/**
 * Ask for somebody's card and PIN and give an order in his name ("by"), or with him as second person ("second").
 * Answers with what the order answered, or null when it was given up.
 */
export function withCard(title, path, body, as = "by", more = null) {
  return new Promise((resolve) => {
    const key = newKey();
    const error = h("p", { class: "field-error", role: "alert" });
    const card = h("input", { name: "card", inputmode: "numeric", autocomplete: "off", required: true });
    const pin = h("input", { name: "pin", type: "password", inputmode: "numeric", autocomplete: "off", required: true });
    let answer = null;
    const give = pressing(async (event) => {
      event.preventDefault();
      error.textContent = "";
      try {
        const shown = await post("presence", { card: card.value.trim(), pin: pin.value, key, path, role: as });
        answer = await order(path, typeof body === "function" ? body() : body, { key, [as]: shown.token });
        dialog.close();
      } catch (refused) {
        if (!(refused instanceof Refused)) throw refused;
        error.textContent = refused.message;
        pin.value = "";
        pin.focus();
      }
    });
    const dialog = h("dialog", { "aria-label": title, onclose: () => { dialog.remove(); resolve(answer); } },
      h("form", { onsubmit: give },
        h("h2", {}, title), more,
        h("label", {}, t("card"), card), h("label", {}, t("pin"), pin), error,
        h("div", { class: "row" },
          h("button", { class: "button main big", type: "submit" }, t("confirm")),
          h("button", { class: "button", type: "button", onclick: () => dialog.close() }, t("cancel")))));
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector("input, select, textarea").focus();
  });
}
