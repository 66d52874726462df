// Surveillance: the large wins that it must verify, and every screen of the floor to look at.

import { complain, get, pressing } from "../api.js";
import { ask, field } from "../ask.js";
import { h, main } from "../dom.js";
import { evidence } from "../evidence.js";
import { spotOf, wagerName } from "../felt.js";
import { watch } from "../live.js";
import { dollars, money } from "../money.js";
import { clock, data, gameName, spoken, t } from "../page.js";

let floor = null;
let splits = new Set();
let watched = "";
let stopWatching = () => {};
let told = "";
const docs = new Map();

const path = (table, command) => `tables/${encodeURIComponent(table)}/${command}`;

// ------------------------------------------------------------------------------------------------------ what to verify

/** What the win is for: a hand of the progressive, or a wager. */
function won(doc, one) {
  const win = doc.progressive?.wins.find((found) => found.number === one.win);
  return win ? spoken(win.hand) : wagerName(doc, one.wager);
}

function toVerify(doc, one) {
  const { table } = doc;
  const where = { table, spot: one.spot };
  return h("article", { class: "panel to-verify", key: `${table}/${one.spot}/${one.wager}/${one.win}`, "aria-label": t("win", where) },
    h("div", {}, h("h2", {}, t("win", where)), h("strong", { class: "claim-hand" }, won(doc, one)),
      h("small", {}, `${gameName(doc.game)} · ${t("round")} ${doc.progressive?.round ?? doc.play?.round}`)),
    evidence(doc, one.spot, won(doc, one)),
    h("div", { class: "verify-amount" }, money(one.cents, { class: "figure" }),
      h("button", { class: "button main big", type: "button", onclick: pressing(() => verify(doc, one)) }, t("verify.open")),
      h("a", { class: "button", href: `/table/${encodeURIComponent(table)}` }, t("screens.table"))));
}

/** FL-18: hand, wager, payout and player, under the card that is signed in. */
async function verify(doc, one) {
  const player = h("input", { required: true, autocomplete: "off", maxlength: 200, value: spotOf(doc, one.spot).player });
  const which = one.win ? { win: one.win } : { spot: one.spot, wager: one.wager };
  const round = doc.progressive?.round ?? doc.play?.round;
  const answer = await ask({ title: t("verify.title", { table: doc.table, spot: one.spot }), press: t("verify.press"),
    more: [h("p", { class: "figure money accented" }, dollars(one.cents)), h("p", {}, t("verify.words", { what: won(doc, one) })), field("player", t("verify.player"), player)],
    path: path(doc.table, one.win ? "surveillance" : "verify-payout"), body: (given) => ({ round, ...which, player: given.player }), may: true });
  if (answer) told = t("verify.done", { table: doc.table, spot: one.spot });
  draw();
}

/** Claims that a supervisor has still to confirm, and that come here next. */
function coming() {
  const claims = [...docs.values()].flatMap((doc) => doc.claims).filter((claim) => claim.surveillance);
  if (!claims.length) return null;
  return h("section", { key: "coming" }, h("h2", {}, t("coming.title")), h("p", {}, h("small", {}, t("coming.words"))),
    h("ul", { class: "plain stack" }, claims.map((claim) => h("li", { class: "panel spread", key: `${claim.table}/${claim.spot}` },
      h("span", {}, h("strong", {}, t("win", claim)), ` · ${claim.hand_words} · ${clock(claim.named_at)}`), money(claim.due_cents)))));
}

// ------------------------------------------------------------------------------------------------------- every screen

function screens() {
  return h("section", { key: "screens" }, h("h2", {}, t("screens.title")),
    h("div", { class: "grid watch-grid" }, floor.tables.map((one) => h("article", { class: "panel", key: one.id, "aria-label": `${t("table")} ${one.id}` },
      h("div", { class: "spread" }, h("strong", {}, one.id), h("small", {}, one.locked ? t("screens.in", { count: one.lit.length }) : t("screens.open"))),
      h("div", {}, gameName(one.game)),
      h("div", { class: "row" }, h("a", { class: "button", href: `/table/${encodeURIComponent(one.id)}` }, t("screens.table")),
        splits.has(one.game) && one.kind !== "progressive" ? h("a", { class: "button", href: `/verify/${encodeURIComponent(one.id)}` }, t("screens.verify")) : null)))),
    floor.links.length ? h("h3", {}, t("screens.displays")) : null,
    h("div", { class: "row" }, floor.links.map((one) => h("a", { class: "button", key: one.link, href: `/display/${encodeURIComponent(one.link)}` }, one.name))));
}

// ------------------------------------------------------------------------------------------------------------ the page

function draw() {
  const open = [...docs.values()].flatMap((doc) => doc.to_verify.map((one) => toVerify(doc, one)));
  document.title = `${open.length ? `(${open.length}) ` : ""}${t("title")} · ${data.site}`;
  main(h("div", { class: "spread page-head" }, h("h1", {}, t("title")), h("span", { class: `tag ${open.length ? "warn" : "good"}` }, t("open_count", { count: open.length }))),
    h("p", { class: "unseen", role: "status", "aria-live": "polite" }, told),
    open.length ? h("section", { class: "stack claim-group", key: "open" }, open) : h("section", { class: "panel quiet-floor", key: "quiet" }, h("h2", {}, t("quiet.title")), h("p", {}, t("quiet.words"))),
    coming(), screens());
}

/** Watch all tables that have a win to verify or a claim. */
function follow() {
  const names = [...new Set(floor.needs.filter((need) => ["verify", "claim"].includes(need.what)).map((need) => need.table))];
  if (names.join("\n") === watched) return;
  watched = names.join("\n");
  stopWatching();
  stopWatching = () => {};
  for (const name of [...docs.keys()]) if (!names.includes(name)) docs.delete(name);
  if (!names.length) return;
  stopWatching = watch(names.map((name) => `table/${name}`), {
    view(subject, view) {
      docs.set(view.table, view);
      draw();
    },
  });
}

function take(view) {
  floor = view;
  follow();
  draw();
}

async function begin() {
  const view = await get("floor");
  const names = [...new Set(view.tables.map((one) => one.game))];
  const rules = await Promise.all(names.map((game) => get(`games/${encodeURIComponent(game)}`)));
  splits = new Set(names.filter((_, place) => rules[place].splits.length));
  take(view);
  watch(["floor"], { view: (subject, now) => take(now) });
}

begin().catch(complain);
