// Signing in: staff with card and PIN, a player with a code; on a demonstration floor, as anybody. Staff set PINs here.

import { post, pressing, Refused } from "../api.js";
import { h, main } from "../dom.js";
import { data, t } from "../page.js";
import { keepReturn } from "../return.js";

/** The page to go on to, as a whole address of this very site; null where `next` names none, or one of another site. */
function onThisSite(next) {
  // A browser reads a backslash as a slash and leaves tabs and line ends out: /\evil.example is //evil.example.
  if (!next || !/^\/(?!\/)[^\\\u0000-\u0020\u007f]*$/u.test(next)) return null;
  const found = new URL(next, location.origin);
  if (found.origin !== location.origin || found.pathname.startsWith("//")) return null;
  return found;
}

function after(answer) {
  const next = onThisSite(new URLSearchParams(location.search).get("next"));
  const home = answer.kind === "player" ? "/seat" : "/";
  // The house's own address leads everybody to where they begin.
  location.href = next && next.pathname !== "/" ? next.href : new URL(home, location.origin).href;
}

function form(title, fields, send, { words = t("sign_in"), id = null, refusing = null } = {}) {
  const error = h("p", { class: "field-error", role: "alert" });
  return h("section", { class: "panel", id }, h("h2", {}, title), h("form", {
    onsubmit: pressing(async (event) => {
      event.preventDefault();
      error.textContent = "";
      try {
        after(await send(Object.fromEntries(new FormData(event.target))));
      } catch (refused) {
        if (!(refused instanceof Refused)) throw refused;
        error.textContent = refused.message;
        refusing?.(refused, event.target);
      }
    }),
  }, fields, error, h("button", { class: "button main", type: "submit" }, words)));
}

function input(name, words, more = {}) {
  return h("label", {}, words, h("input", { name, required: true, autocomplete: "off", ...more }));
}

function firstOfEachRole() {
  return data.demo.people.filter((one, place, all) => all.findIndex((other) => other.role === one.role) === place);
}

const demo = data.demo ? h("section", { class: "panel wide" }, h("h2", {}, t("demo_title")), h("p", {}, t("demo_words")),
  h("div", { class: "row" }, firstOfEachRole().map(({ role, card }) => h("button", {
    class: "button", type: "button", onclick: pressing(async () => after(await post("session", { card, pin: data.demo.pin }))),
  }, t(`roles.${role}`)))),
  h("p", {}, t("demo_pin", { pin: data.demo.pin }))) : null;

const secret = { type: "password", inputmode: "numeric" };

/** TR-5: whose card has no PIN yet is led to where one is set. */
function toPin(refused, target) {
  if (refused.type !== "urn:houseway:problem:set-pin") return;
  const place = document.querySelector("#set-pin form");
  for (const name of ["card", "pin"]) place.elements[name].value = target.elements[name].value;
  place.elements.new_pin.focus();
}

async function setPin({ again, ...given }) {
  if (again !== given.new_pin) throw new Refused({ detail: t("not_the_same"), field: "again" }, 0);
  return post("session/pin", given);
}

main(h("h1", {}, t("title")), h("div", { class: "sign-in grid" }, demo,
  form(t("staff"), [input("card", t("card"), { inputmode: "numeric", autofocus: true }), input("pin", t("pin_or_code"), secret)], (given) => post("session", given), { refusing: toPin }),
  form(t("set_pin"), [h("p", {}, t("set_pin_words")), input("card", t("card"), { inputmode: "numeric" }), input("pin", t("pin_so_far"), { type: "password" }), input("new_pin", t("new_pin"), secret), input("again", t("again"), secret)], setPin, { words: t("set_pin_do"), id: "set-pin" }),
  form(t("player"), [input("code", t("code"), { autocapitalize: "characters" })], async (given) => keepReturn(await post("session/player", given))),
  data.demonstration ? form(t("guest"), [input("name", t("name"))], async (given) => keepReturn(await post("session/guest", given))) : null));
