// Reports: what came in and went out in some days, as charts with their figures beside them, and as documents.

import { complain, get, newKey, order, pressing, Refused } from "../api.js";
import { bars, line } from "../chart.js";
import { h, main } from "../dom.js";
import { cents, dollars, exact } from "../money.js";
import { clock, data, has, spoken, t } from "../page.js";

const GROUPINGS = ["day", "table", "link", "meter"];
const MOST_POINTS = 31;
const HISTORY_PAGE = 500;
const MOST_MOVEMENTS = 2_000;
const ENDS = ["opening_meter_micros", "closing_meter_micros", "opening_reserve_micros", "closing_reserve_micros"];

const asked = new URLSearchParams(location.search);
const shown = { from: asked.get("from") ?? "", to: asked.get("to") ?? "", by: GROUPINGS.includes(asked.get("by")) ? asked.get("by") : "day", meter: "", today: "" };
let docs = {};
let course = null;
let accruals = null;
let rights = null;
let error = "";
let loading = 0;

// ------------------------------------------------------------------------------------------------ days

function later(day, days) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function days(first, last) {
  const found = [];
  for (let day = first; day <= last; day = later(day, 1)) found.push(day);
  return found;
}

function shortDay(day) {
  return new Intl.DateTimeFormat(document.documentElement.lang, { day: "numeric", month: "short", timeZone: "UTC" }).format(Date.parse(`${day}T00:00:00Z`));
}

/** So many days of a period, evenly, its first and last among them. */
function some(every) {
  if (every.length <= MOST_POINTS) return every;
  return Array.from({ length: MOST_POINTS }, (_, number) => every[Math.round((number * (every.length - 1)) / (MOST_POINTS - 1))]);
}

// ------------------------------------------------------------------------------------------------ loading

async function load() {
  const mine = ++loading;
  const period = { from: shown.from, to: shown.to };
  error = "";
  history.replaceState(null, "", `?${new URLSearchParams({ ...period, by: shown.by })}`);
  document.getElementById("main").setAttribute("aria-busy", "true");
  try {
    const [found, week] = await Promise.all([
      Promise.all(GROUPINGS.map((by) => get(`reports/${by}`, period))),
      get("reports/accruals", { day: shown.to }),
    ]);
    if (mine !== loading) return;
    docs = Object.fromEntries(found.map((doc) => [doc.by, doc]));
    accruals = week;
    if (!meters().includes(shown.meter)) shown.meter = meters()[0] ?? "";
    course = null;
    draw();
    await loadMeter();
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    if (mine === loading) error = refused.message;
  } finally {
    if (mine === loading) document.getElementById("main").removeAttribute("aria-busy");
    draw();
  }
}

function meters() {
  return docs.meter.groups.map((group) => group.key).filter((key) => key.includes("/"));
}

/** How a meter stood: at the end of each day, or within one day after every movement. */
async function loadMeter() {
  const { meter, from, to } = shown;
  if (!meter) return;
  const made = from === to ? await movements(meter, from) : await closings(meter, from, to);
  if (shown.meter !== meter || shown.from !== from || shown.to !== to) return;
  course = made;
  draw();
}

async function closings(meter, from, to) {
  const chosen = some(days(from, to < shown.today || from > shown.today ? to : shown.today));
  const points = [];
  for (const day of chosen) {
    const doc = await get("reports/meter", { from: day, to: day });
    const group = doc.groups.find((one) => one.key === meter);
    if (group) points.push({ label: day, short: shortDay(day), value: group.closing_meter_micros, text: exact(group.closing_meter_micros) });
  }
  return points.length === 1 ? movements(meter, points[0].label) : { points, steps: false, more: false };
}

async function movements(meter, day) {
  const [link, name] = [meter.slice(0, meter.indexOf("/")), meter.slice(meter.indexOf("/") + 1)];
  const found = [];
  let after = "";
  do {
    const page = await get(`links/${encodeURIComponent(link)}/meters/${encodeURIComponent(name)}/history`, { from: day, to: day, limit: HISTORY_PAGE, ...(after ? { after } : {}) });
    found.push(...page.items.filter((one) => one.part === "meter"));
    after = page.next;
  } while (after && found.length < MOST_MOVEMENTS);
  const begins = found.find((one) => one.at)?.at ?? 0;
  // A meter that was opened on this day had nothing before.
  const points = found.filter((one) => one.entry || one.meter_after_micros).map((one) => ({
    at: one.at || begins, label: one.entry ? `${clock(one.at)} · ${one.explanation}` : one.explanation, short: one.at ? clock(one.at) : "", value: one.meter_after_micros, text: exact(one.meter_after_micros),
  }));
  return { points, steps: true, more: Boolean(after) };
}

// ------------------------------------------------------------------------------------------------ what is shown

const tick = (micros) => exact(micros).replace(/\.00$/, "");

function period() {
  const quick = (name, first) => h("button", { class: "button", type: "button", "aria-pressed": shown.from === first && shown.to === shown.today ? "true" : "false", onclick: pressing(() => choose(first, shown.today)) }, t(`quick.${name}`));
  return h("form", { class: "period no-print", onsubmit: pressing((event) => choose(event.target.elements.from.value, event.target.elements.to.value)) },
    quick("today", shown.today), quick("week", later(shown.today, -6)), quick("month", later(shown.today, -30)),
    h("label", {}, t("from"), h("input", { type: "date", name: "from", value: shown.from, required: true })),
    h("label", {}, t("to"), h("input", { type: "date", name: "to", value: shown.to, required: true })),
    h("button", { class: "button main", type: "submit" }, t("show")),
    error ? h("p", { class: "field-error", role: "alert" }, error) : null);
}

async function choose(from, to) {
  shown.from = from;
  shown.to = to;
  for (const input of document.querySelectorAll(".period input")) input.value = shown[input.name];
  await load();
}

function coinIn(by) {
  const groups = docs[by].groups.filter((group) => by !== "table" || group.key);
  const points = groups.map((group) => ({ label: group.key, short: by === "day" ? shortDay(group.key) : group.key, value: group.coin_in_micros, text: exact(group.coin_in_micros) }));
  return h("section", { class: "panel", key: `coin-in-${by}` }, h("h2", {}, t(`coin_in.${by}`)),
    docs[by].total.coin_in_micros ? bars({ key: by, name: t(`coin_in_name.${by}`, { from: shown.from, to: shown.to }), columns: [t(`by.${by}`), t("figure.coin_in")], points, tick })
      : h("p", { class: "quiet" }, t("no_coin_in")));
}

function meterCourse() {
  const names = meters();
  return h("section", { class: "panel", key: "meter" }, h("div", { class: "head" }, h("h2", {}, t("meter_course")), h("div", { class: "choose" },
    h("select", { "aria-label": t("meter"), onchange: pressing(async (event) => { shown.meter = event.target.value; course = null; draw(); await loadMeter(); }) },
      names.map((name) => h("option", { value: name, selected: name === shown.meter }, name.replace("/", " · ")))))),
    !names.length ? h("p", { class: "quiet" }, t("no_meters"))
      : !course ? h("p", { class: "loading" }, t("loading"))
        : course.points.length ? line({ key: shown.meter, name: t("meter_name", { meter: shown.meter, from: shown.from, to: shown.to }), columns: [course.steps ? t("movement") : t("by.day"), t("meter_after")], points: course.points, steps: course.steps, tick })
          : h("p", { class: "quiet" }, t("no_course")),
    course?.more ? h("p", { class: "warn" }, t("cut", { count: course.points.length })) : null);
}

function label(by, key) {
  if (by === "table" && !key) return t("game_manager");
  if (by === "meter" && !key.includes("/")) return t("beside", { link: key });
  return key;
}

function figureName(field) {
  const name = field.replace(/_micros$/, "");
  return has(`figure.${name}`) ? t(`figure.${name}`) : spoken(name);
}

function documents(path, query) {
  return h("div", { class: "row no-print" }, ["csv", "pdf"].map((form) => h("a", { class: "button", href: `/api/v1/${path}.${form}?${new URLSearchParams(query)}`, download: true }, t(`document.${form}`))));
}

function report() {
  const doc = docs[shown.by];
  const every = Object.keys(doc.total).filter((name) => name.endsWith("_micros"));
  const moved = every.filter((name) => [...doc.groups, doc.total].some((group) => group[name]));
  const columns = every.filter((name) => name === "coin_in_micros" || (moved.includes(name) && !ENDS.includes(name)));
  columns.push(...ENDS.filter((name) => doc.groups.some((group) => group[name] !== null)));
  const cells = (group) => columns.map((name) => h("td", { class: "money" }, group[name] === null ? "" : exact(group[name])));
  return h("section", { class: "panel", key: "report" }, h("div", { class: "head" }, h("h2", {}, t("report_title", { from: doc.from, to: doc.to })),
    h("div", { class: "row no-print", role: "group", "aria-label": t("grouped") }, GROUPINGS.map((by) => h("button", { class: "button", type: "button", key: by, "aria-pressed": by === shown.by ? "true" : "false", onclick: () => { shown.by = by; history.replaceState(null, "", `?${new URLSearchParams({ from: shown.from, to: shown.to, by })}`); draw(); } }, t(`by.${by}`)))),
    documents(`reports/${shown.by}`, { from: shown.from, to: shown.to })),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("report_title", { from: doc.from, to: doc.to }) }, h("table", { class: "report" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t(`by.${shown.by}`)), columns.map((name) => h("th", { scope: "col", class: "money" }, figureName(name))))),
      h("tbody", {}, doc.groups.map((group) => h("tr", {}, h("th", { scope: "row" }, label(shown.by, group.key)), cells(group)))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("all")), cells(doc.total))))),
    doc.defects.length ? h("div", { class: "findings", role: "alert" }, h("h3", { class: "bad" }, t("does_not_reconcile")), doc.defects.map((one) => h("p", { class: "finding bad" }, h("span", {}, one)))) : h("p", { class: "good" }, t("reconciles", { entry: doc.journal.entry })),
    doc.notes.map((note) => h("p", { class: "quiet" }, note)));
}

function weekly() {
  const items = accruals.items;
  if (!items.length) return null;
  const week = items[0].week;
  return h("section", { class: "panel", key: "accruals" }, h("div", { class: "head" }, h("h2", {}, t("accruals_title", { from: week.first, to: week.last })), documents("reports/accruals", { day: shown.to })),
    h("p", { class: "quiet" }, t("accruals_words")),
    h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("link")), ["accrued", "due", "deposited", "difference", "held"].map((name) => h("th", { scope: "col", class: "money" }, t(`accrual.${name}`))))),
      h("tbody", {}, items.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name), h("td", { class: "money" }, exact(one.accrued_micros)), h("td", { class: "money" }, dollars(one.due_cents)),
        h("td", { class: "money" }, dollars(one.deposited_cents)), h("td", { class: `money ${one.difference_cents < 0 ? "bad" : ""}` }, dollars(one.difference_cents)), h("td", { class: "money" }, exact(one.held_micros))))))),
    rights.record_deposit.roles.includes(data.who.role) ? deposit(items) : null);
}

let depositKey = newKey();

function deposit(items) {
  const told = (field, sentence) => { document.getElementById(`deposit-${field}`).textContent = sentence; };
  const send = pressing(async (event) => {
    const given = Object.fromEntries(new FormData(event.target));
    const item = items.find((one) => one.link === given.link);
    for (const field of ["cents", "reference", "other"]) told(field, "");
    const amount = cents(given.cents);
    if (Number.isNaN(amount)) { told("cents", t("no_amount")); return; }
    try {
      await order("links/record-deposit", { link: item.link, week: item.week.first, cents: amount, reference: given.reference }, { key: depositKey });
      depositKey = newKey();
      event.target.reset();
      await load();
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      if (refused.status) depositKey = newKey();
      told(["cents", "reference"].includes(refused.field) ? refused.field : "other", refused.message);
    }
  });
  const error = (field) => h("span", { class: "field-error", role: "alert", id: `deposit-${field}`, "data-own": true });
  return h("form", { class: "period no-print", onsubmit: send, novalidate: true, key: "deposit" },
    h("label", {}, t("link"), h("select", { name: "link" }, items.map((one) => h("option", { value: one.link }, one.name)))),
    h("label", {}, t("deposit_amount"), h("input", { name: "cents", inputmode: "decimal", autocomplete: "off" }), error("cents")),
    h("label", {}, t("reference"), h("input", { name: "reference", autocomplete: "off" }), error("reference")),
    h("button", { class: "button", type: "submit" }, t("record_deposit")), error("other"));
}

function draw() {
  if (!docs.day) {
    main(h("h1", {}, t("title")), period(), error ? null : h("p", { class: "loading" }, t("loading")));
    return;
  }
  main(h("h1", {}, t("title")), period(), coinIn("day"), coinIn("table"), meterCourse(), report(), weekly());
}

async function begin() {
  const [today, house] = await Promise.all([get("reports/day"), get("manager")]);
  shown.today = today.from;
  rights = house.rights;
  shown.from ||= later(shown.today, -6);
  shown.to ||= shown.today;
  await load();
}

begin().catch((failure) => {
  complain(failure);
  main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", { class: "bad" }, failure.message),
    h("button", { class: "button main", type: "button", onclick: () => location.reload() }, t("retry"))));
});
