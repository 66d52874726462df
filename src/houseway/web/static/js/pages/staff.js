// Staff: who is enrolled, new people and new cards, dismissals, cards that wrong PINs have locked.

import { get, pressing, Refused } from "../api.js";
import { focusIn, h, main } from "../dom.js";
import { watch } from "../live.js";
import { data, dateAndTime, has, t } from "../page.js";
import { withCard } from "../people.js";

const ROLES = ["dealer", "supervisor", "executive", "manager", "auditor", "technician", "surveillance"];
const OF_STAFF = new Set(["staff_enrolled", "staff_dismissed", "staff_unlocked", "pin_set", "floor_configured"]);

let everybody = [];
let rights = null;
/** What is being done: {what: "enroll"}, or {what: "card" | "dismiss", who}. */
let doing = { what: "enroll" };
let slip = null;
let errors = {};

const may = (tag) => rights[tag].roles.includes(data.who.role);
const locked = (one) => one.locked_until > Date.now() * 1000;

async function load() {
  const found = [];
  let after = "";
  do {
    const page = await get("staff", { limit: 500, ...(after ? { after } : {}) });
    found.push(...page.items);
    after = page.next;
  } while (after);
  everybody = found;
}

function start(what, who = null) {
  doing = { what, who };
  errors = {};
  draw();
  const form = document.getElementById("doing");
  form.reset();
  focusIn(form);
}

/** TR-5: everything here takes a second person, who presents a card for it. */
function withSecond(title, path, body) {
  return withCard(title, path, body, "second", h("p", {}, t("two_people", { name: data.who.name })));
}

const send = pressing(async (event) => {
  const given = Object.fromEntries(new FormData(event.target));
  const title = document.getElementById("work-title").textContent;
  errors = {};
  for (const name of { enroll: ["name", "staff"], dismiss: ["reason"], card: [] }[doing.what]) {
    if (!given[name].trim()) errors[name] = t("must_be_given");
  }
  if (Object.keys(errors).length) return draw();
  let answer;
  if (doing.what === "dismiss") {
    answer = await withSecond(title, "staff/dismiss", { staff: doing.who.id, reason: given.reason });
    if (answer) slip = null;
  } else {
    const { id, name, role } = doing.who ?? {};
    const body = doing.who ? { staff: id, name, role: given.role, card: given.card } : given;
    answer = await withSecond(title, "staff/enroll", body);
    if (answer) slip = { name: body.name, role: body.role, card: answer.card, code: answer.code };
  }
  if (!answer) return draw();
  await load();
  start("enroll");
  if (slip) document.getElementById("slip").focus();
});

const unlock = (one) => pressing(async () => {
  if (!await withSecond(t("unlock_one", { name: one.name }), "staff/unlock", { staff: one.id })) return;
  await load();
  draw();
});

// ------------------------------------------------------------------------------------------------ what is shown

function handOver() {
  if (!slip) return null;
  return h("section", { class: "panel slip", id: "slip", tabindex: -1, role: "status", key: "slip" },
    h("div", {}, h("h2", {}, t("slip_title", { name: slip.name })), h("p", {}, t("slip_words"))),
    h("dl", {}, h("div", {}, h("dt", {}, t("card")), h("dd", { id: "new-card" }, slip.card)), h("div", {}, h("dt", {}, t("code")), h("dd", { id: "new-code" }, slip.code))),
    h("div", { class: "row no-print" }, h("button", { class: "button", type: "button", onclick: () => window.print() }, t("print")),
      h("button", { class: "button main", type: "button", onclick: () => { slip = null; draw(); } }, t("handed_over"))));
}

function person(one) {
  const state = !one.active ? ["", t("state.dismissed")] : !one.pin_set ? ["warn", t("state.no_pin")] : locked(one) ? ["bad", t("state.locked", { until: dateAndTime(one.locked_until) })] : ["good", t("state.active")];
  return h("tr", { key: one.id, class: one.active ? null : "dismissed" },
    h("th", { scope: "row" }, one.name, h("br", {}), h("small", {}, one.id)),
    h("td", {}, t(`roles.${one.role}`)),
    h("td", {}, h("span", { class: `tag ${state[0]}` }, state[1]), one.demonstration && one.active ? h("small", {}, ` ${t("demonstration_card")}`) : null),
    h("td", {}, h("div", { class: "row" },
      locked(one) && one.active && may("unlock") ? h("button", { class: "button main", type: "button", key: "unlock", "aria-label": t("unlock_one", { name: one.name }), onclick: unlock(one) }, t("unlock")) : null,
      may("enroll") ? h("button", { class: "button", type: "button", key: "card", "aria-label": t("card_title", { name: one.name }), onclick: () => start("card", one) }, one.active ? t("new_card") : t("back_again")) : null,
      one.active && may("dismiss") ? h("button", { class: "button danger", type: "button", key: "dismiss", "aria-label": t("dismiss_title", { name: one.name }), onclick: () => start("dismiss", one) }, t("dismiss")) : null)));
}

function list() {
  const order = [...everybody].sort((one, other) => Number(other.active) - Number(one.active) || ROLES.indexOf(one.role) - ROLES.indexOf(other.role) || one.name.localeCompare(other.name));
  return h("section", { class: "panel", key: "list" }, h("h2", {}, t("people", { count: everybody.filter((one) => one.active).length })), h("div", { class: "scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, ["name", "role", "state"].map((name) => h("th", { scope: "col" }, t(`column.${name}`))), h("th", { scope: "col" }, h("span", { class: "unseen" }, t("column.actions"))))),
    h("tbody", {}, order.map(person)))));
}

function input(name, more = {}) {
  return h("div", { class: "field", key: name }, h("label", {}, t(`field.${name}`), h("input", { name, autocomplete: "off", "aria-describedby": `hint-${name}`, "aria-invalid": errors[name] ? "true" : null, ...more })),
    h("small", { id: `hint-${name}` }, has(`hint.${name}`) ? t(`hint.${name}`) : ""), errors[name] ? h("p", { class: "field-error", role: "alert" }, errors[name]) : null);
}

function roleOf(role) {
  return h("label", { key: "role" }, t("field.role"), h("select", { name: "role" }, ROLES.map((one) => h("option", { value: one, selected: one === role || null }, t(`roles.${one}`)))));
}

function work() {
  if (!may("enroll")) return null;
  const { what, who } = doing;
  const title = what === "enroll" ? t("enroll_title") : t(`${what}_title`, { name: who.name });
  const fields = {
    enroll: () => [input("name"), input("staff"), roleOf("dealer"), input("card", { inputmode: "numeric" })],
    card: () => [h("p", { key: "words" }, t("card_words")), roleOf(who.role), input("card", { inputmode: "numeric" })],
    dismiss: () => [h("p", { key: "words" }, t("dismiss_words")), input("reason")],
  };
  return h("section", { class: "panel", key: "work" }, h("h2", { id: "work-title" }, title), h("form", { id: "doing", onsubmit: send, novalidate: true }, fields[what](),
    h("div", { class: "row", key: "buttons" }, h("button", { class: `button big ${what === "dismiss" ? "danger" : "main"}`, type: "submit" }, t(`do.${what}`)),
      what === "enroll" ? null : h("button", { class: "button", type: "button", onclick: () => start("enroll") }, t("cancel")))));
}

function draw() {
  main(h("h1", { key: "h1" }, t("title")), handOver(), h("div", { class: "staff", key: "staff" }, list(), work()));
}

async function begin() {
  const [house] = await Promise.all([get("manager"), load()]);
  rights = house.rights;
  draw();
  watch(["manager"], {
    step(subject, step) {
      if (step.events.some((event) => OF_STAFF.has(event.type))) load().then(draw, console.error);
    },
    back() {
      load().then(draw, console.error);
    },
  });
}

begin().catch((error) => {
  if (!(error instanceof Refused)) console.error(error);
  main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", { class: "bad" }, error.message),
    h("button", { class: "button main", type: "button", onclick: () => location.reload() }, t("retry"))));
});
