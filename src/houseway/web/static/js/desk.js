// The dealer's desk: the table as it stands, and the orders that are on their way. A press shows at once; the stream brings the truth.

import { get, headers, newKey, order, post, pressing, Refused } from "./api.js";
import { h } from "./dom.js";
import { withCard } from "./people.js";
import { data, t } from "./page.js";

const AGAIN_AFTER = 1_500;

export const table = data.path.table;
export const desk = { doc: null, error: "", draw: () => {} };

const going = new Map();

/** Whether an order is on its way. */
export function busy(name) {
  return going.has(name);
}

export function anyBusy() {
  return going.size > 0;
}

/** A table as the server sees it now; an older view than the one that is shown is left aside. */
export function take(doc) {
  if (desk.doc && doc.entry < desk.doc.entry) return;
  desk.doc = doc;
  for (const [name, entry] of going) if (doc.entry >= entry) going.delete(name);
  desk.draw();
}

export function path(command) {
  return `tables/${encodeURIComponent(table)}/${command.replaceAll("_", "-")}`;
}

function round() {
  return desk.doc.progressive?.round ?? desk.doc.play?.round ?? 0;
}

async function follow(name, done) {
  if (desk.doc.entry >= done.entry) going.delete(name);
  else {
    going.set(name, done.entry);
    setTimeout(async () => {
      if (!going.has(name)) return;
      try {
        take(await get(`tables/${encodeURIComponent(table)}`));
      } finally {
        going.delete(name);
        desk.draw();
      }
    }, AGAIN_AFTER);
  }
  desk.draw();
  return done;
}

/** Give an order; refused ones are told beside the main button. Answers with what came of it, or null. */
export async function give(command, body = {}, name = command, refused = () => {}) {
  if (going.has(name)) return null;
  desk.error = "";
  going.set(name, Infinity);
  desk.draw();
  try {
    return await follow(name, await order(path(command), { round: round(), ...body }));
  } catch (error) {
    going.delete(name);
    refused(error);
    tell(error);
    return null;
  }
}

/** Say what was refused, where the dealer looks. */
export function tell(error) {
  if (!(error instanceof Refused)) console.error(error);
  desk.error = error.message || String(error);
  desk.draw();
}

/** An order that a supervisor gives: with the sign-in of this screen where that is a supervisor, else with a card and PIN. */
export async function supervised(command, title, body, { fields = null, card = false } = {}) {
  desk.error = "";
  const made = () => ({ round: round(), ...(typeof body === "function" ? body() : body) });
  const own = desk.doc.may.includes(command) && !card;
  const second = desk.doc.takes_second.includes(command);
  if (own && !second && fields) return askFor(title, fields, async () => follow(command, await order(path(command), made())));
  if (own && !second) {
    try {
      going.set(command, Infinity);
      desk.draw();
      return await follow(command, await order(path(command), made()));
    } catch (error) {
      going.delete(command);
      tell(error);
      // Not for this person, but perhaps for another: ask for a card.
      if (error.status !== 403) return null;
    }
  }
  const done = await withCard(title, path(command), made, [own && second ? "" : "by", second ? "second" : ""].filter(Boolean), fields);
  if (done) {
    desk.error = "";
    await follow(command, done);
  }
  return done;
}

/** A question with fields; what is refused is told in it. Answers with what `send` answered, or null. */
export function askFor(title, fields, send, words = t("confirm"), kind = "main") {
  return new Promise((resolve) => {
    let answer = null;
    const error = h("p", { class: "field-error", role: "alert" });
    const submit = pressing(async (event) => {
      event.preventDefault();
      error.textContent = "";
      try {
        answer = (await send(event.target)) ?? true;
        dialog.close();
      } catch (refused) {
        if (!(refused instanceof Refused)) throw refused;
        error.textContent = refused.message;
      }
    });
    const dialog = h("dialog", { class: "desk-dialog", "aria-label": title, onclose: () => { dialog.remove(); resolve(answer); } },
      h("form", { onsubmit: submit }, h("h2", {}, title), fields, error,
        h("div", { class: "row" }, h("button", { class: `button big ${kind}`, type: "submit" }, words),
          h("button", { class: "button big", type: "button", onclick: () => dialog.close() }, t("cancel")))));
    document.body.append(dialog);
    dialog.showModal();
    dialog.querySelector("input, select, textarea, button")?.focus();
  });
}

/** A field of such a question. */
export function field(name, words, more = {}) {
  return h("label", {}, words, h("input", { name, autocomplete: "off", required: true, ...more }));
}

/** FL-24: the table goes from one dealer to the next, who presents a card and is then signed in here. */
export async function signOver(open) {
  const card = field("card", t("card"), { inputmode: "numeric" });
  const pin = field("pin", t("pin"), { type: "password", inputmode: "numeric" });
  const given = (name) => (name === "card" ? card : pin).querySelector("input").value.trim();
  return askFor(t("sign_over"), [h("p", {}, t("sign_over_words")), open, card, pin], async () => {
    const key = newKey();
    const next = await post("presence", { card: given("card"), pin: given("pin"), key, path: path("sign_over"), role: "second" });
    await order(path("sign_over"), { round: round(), to: next.staff }, { key });
    await fetch("/api/v1/session", { method: "DELETE", headers: headers() });
    await post("session", { card: given("card"), pin: given("pin") });
    location.reload();
  }, t("take_over"));
}

/** A player is let in: the code is shown, for the player's own screen. */
export async function admit(name = "") {
  const player = field("player", t("player_name"), { value: name, maxlength: 40 });
  let code = "";
  const done = await askFor(t("admit"), [h("p", {}, t("admit_words")), player], async () => {
    const answer = await order("players/admit", { player: player.querySelector("input").value.trim() });
    code = answer.code;
  }, t("admit_do"));
  if (!done || !code) return;
  const shown = h("dialog", { class: "desk-dialog", "aria-label": t("code_title"), onclose: () => shown.remove() },
    h("h2", {}, t("code_title")), h("p", { class: "code" }, code), h("p", {}, t("code_words")),
    h("button", { class: "button big main", type: "button", onclick: () => shown.close() }, t("close")));
  document.body.append(shown);
  shown.showModal();
}
