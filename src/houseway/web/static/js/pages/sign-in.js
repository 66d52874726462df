// Signing in: staff with card and PIN, a player with a code; on a demonstration floor, as anybody.

import { post, pressing, Refused } from "../api.js";
import { h, main } from "../dom.js";
import { data, t } from "../page.js";

const next = new URLSearchParams(location.search).get("next");

function after(answer) {
  const home = answer.kind === "player" ? "/seat" : "/";
  // The house's own address leads everybody to where he begins.
  location.href = next && next !== "/" && next.startsWith("/") && !next.startsWith("//") ? next : home;
}

function form(title, fields, send, more = null) {
  const error = h("p", { class: "field-error", role: "alert" });
  return h("section", { class: "panel" }, h("h2", {}, title), h("form", {
    onsubmit: pressing(async (event) => {
      event.preventDefault();
      error.textContent = "";
      try {
        after(await send(Object.fromEntries(new FormData(event.target))));
      } catch (refused) {
        if (!(refused instanceof Refused)) throw refused;
        error.textContent = refused.message;
      }
    }),
  }, fields, error, h("button", { class: "button main", type: "submit" }, t("sign_in"))), more);
}

function input(name, words, more = {}) {
  return h("label", {}, words, h("input", { name, required: true, autocomplete: "off", ...more }));
}

const demo = data.demonstration ? h("section", { class: "panel wide" }, h("h2", {}, t("demo_title")), h("p", {}, t("demo_words")),
  h("div", { class: "row" }, Object.entries(data.text.demo_cards).map(([role, card]) => h("button", {
    class: "button", type: "button", onclick: pressing(async () => after(await post("session", { card, pin: "1234" }))),
  }, t(`roles.${role}`)))),
  h("p", {}, t("demo_pin"))) : null;

main(h("h1", {}, t("title")), h("div", { class: "sign-in grid" }, demo,
  form(t("staff"), [input("card", t("card"), { inputmode: "numeric", autofocus: true }), input("pin", t("pin"), { type: "password", inputmode: "numeric" })], (given) => post("session", given)),
  form(t("player"), [input("code", t("code"), { autocapitalize: "characters" })], (given) => post("session/player", given)),
  data.demonstration ? form(t("guest"), [input("name", t("name"))], (given) => post("session/guest", given)) : null));
