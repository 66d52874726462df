// A question before an order: what it is about, what must be said with it, and one big button.

import { order, pressing, Refused } from "./api.js";
import { h } from "./dom.js";
import { t } from "./page.js";
import { withCard } from "./people.js";

/** A field with its label; what is wrong with it is said beneath it. */
export function field(name, words, input, hint = "") {
  input.name = name;
  return h("div", { class: "field" }, h("label", {}, words, input), hint ? h("small", {}, hint) : null, h("p", { class: "field-error", role: "alert", "data-field": name }));
}

/** The values of a form's fields: check boxes as true or false. */
export function values(form) {
  const found = {};
  for (const input of form.querySelectorAll("[name]")) found[input.name] = input.type === "checkbox" ? input.checked : input.value.trim();
  return found;
}

/** Say what was refused next to what caused it. */
export function blame(form, refused) {
  for (const place of form.querySelectorAll("[data-field]")) place.textContent = "";
  const place = form.querySelector(`[data-field="${CSS.escape(refused.field)}"]`) ?? form.querySelector('[data-field=""]');
  if (place) place.textContent = refused.message;
  form.querySelector(`[name="${CSS.escape(refused.field)}"]`)?.focus();
}

/**
 * Ask, then give an order: with the card that is signed in where `may`, else with another's card and PIN; and with a
 * second person's where it takes one.
 * Answers with what the order answered, or null when it was given up.
 */
export function ask({ title, more = [], press, path, body, may, second = false, danger = false }) {
  const form = h("div", { class: "stack" }, more);
  const made = () => (typeof body === "function" ? body(values(form)) : body);
  if (!may || second) return withCard(title, path, made, [may ? "" : "by", second ? "second" : ""].filter(Boolean), form);
  return new Promise((resolve) => {
    let answer = null;
    const give = pressing(async () => {
      try {
        answer = await order(path, made());
        dialog.close();
      } catch (refused) {
        if (!(refused instanceof Refused)) throw refused;
        blame(dialog, refused);
      }
    });
    const dialog = h("dialog", { "aria-label": title, onclose: () => { dialog.remove(); resolve(answer); } },
      h("form", { onsubmit: give }, h("h2", {}, title), form, h("p", { class: "field-error", role: "alert", "data-field": "" }),
        h("div", { class: "row" },
          h("button", { class: `button big ${danger ? "danger" : "main"}`, type: "submit" }, press),
          h("button", { class: "button big", type: "button", onclick: () => dialog.close() }, t("cancel")))));
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector("input, textarea, select") ?? dialog.querySelector("button")).focus();
  });
}
