// The dealer's table, in the words and looks of its console's generation. The next press is always the same big button.

import { get } from "../api.js";
import { forget, cardKeypad, typed } from "../card-keypad.js";
import { card as drawCard, cardName, split } from "../cards.js";
import { admit, anyBusy, askFor, busy, desk, field, give, signOver, supervised, table, take, tell } from "../desk.js";
import { h, main } from "../dom.js";
import { felt, handName, spotOf, wagerName } from "../felt.js";
import { handKeys, key, lcd } from "../keypad.js";
import { watch } from "../live.js";
import { dollars, money } from "../money.js";
import { clock, data, gameName, spoken, t } from "../page.js";
import { roads, shoe } from "../roads.js";

const CHIPS = [100, 500, 2_500, 10_000];
const DEALER = 0;
const BOARD = -2;

const ui = { spot: 0, cards: [], cardsOf: null, hands: 0, low: "", extra: false, stack: null, bet: null, lost: false, hoped: new Map() };
const meters = new Map();
const stackedHere = new Map();
let rule = null;
let taps = 0;

// ---------------------------------------------------------------------------------------------------- what may be done

function doc() {
  return desk.doc;
}

function staff() {
  return data.who.kind === "staff" && (doc().may.includes("lock_in") || doc().may.includes("confirm"));
}

function dealing() {
  return data.who.kind === "staff" && doc().may.includes("lock_in");
}

function press(command, spot = 0) {
  const found = doc().presses.find((one) => one.command === command);
  return found && (!spot || found.spots.includes(spot)) ? found : null;
}

function label(command) {
  return doc().presses.find((one) => one.command === command)?.label ?? "";
}

function realCards() {
  return doc().kind === "cards";
}

function stage() {
  if (doc().malfunction) return "malfunction";
  if (doc().play) return doc().play.stage;
  const side = doc().progressive;
  if (!side) return "nothing";
  if (!side.locked) return "open";
  if (side.claims.length) return "claims";
  return side.dealt ? "cards_out" : "locked";
}

function stageWords() {
  return t(`stage.${stage().replaceAll(" ", "_")}`);
}

/** The words of the console's generation: lock in, name a win, record it, close. */
function generation() {
  const [lock, name, how, close] = doc().progressive.words;
  return { lock, name, how, close };
}

function prompt() {
  const side = doc().progressive;
  if (doc().stops.length && !side?.locked) return t("prompt.stopped", { why: doc().stops.join("; ") });
  if (doc().play && doc().play.stage !== "closing") return doc().play.prompt;
  if (!side) return doc().play?.prompt ?? t("prompt.nothing");
  if (doc().malfunction) return t("prompt.malfunction", { next: doc().repair.map((one) => one.words).join(" · ") });
  const fixed = side.claims.find((one) => one.at_j_pot);
  if (fixed) return t("prompt.fixed", { spot: fixed.spot });
  const claim = side.claims[0];
  if (claim) return t("prompt.claim", { spot: claim.spot, hand: handName(claim.hand), ...generation() });
  if (doc().to_verify.length) return t("prompt.verify");
  if (doc().play) return doc().play.prompt;
  if (!side.locked) return t(side.lit.length ? "prompt.open_lit" : "prompt.open", generation());
  return t(side.dealt ? "prompt.cards_out" : "prompt.locked", generation());
}

function meterLines() {
  const side = doc().progressive;
  if (!side) return [];
  const now = meters.get(doc().link);
  return Object.entries(side.meters).map(([name, cents]) => [spoken(name), now?.[name] ?? cents]);
}

// ------------------------------------------------------------------------------------------------------ the next press

/** What the server says comes next. */
function said() {
  return doc().next_press ?? { command: "", label: "", more: "", body: {}, fields: [], cards: 0, urgent: false };
}

/** Whose cards are entered: those that come next, or those of the place that is chosen. */
function toEnter() {
  const able = dealing() ? press("enter_cards")?.spots ?? [] : [];
  if (ui.cardsOf !== null && able.includes(ui.cardsOf)) return ui.cardsOf;
  if (ui.spot) return able.includes(ui.spot) && !spotOf(doc(), ui.spot).cards ? ui.spot : null;
  return said().command === "enter_cards" ? said().body.spot : null;
}

/** What may be done for the spot that is chosen or comes next, at a table with real cards: the dealer says what was seen. */
function toAct() {
  const spot = ui.spot || (said().command === "act" ? said().body.spot : 0);
  return dealing() && realCards() ? doc().actions.filter((one) => one.spot === spot) : [];
}

function who(spot) {
  if (spot === BOARD) return said().body.spot === BOARD ? said().more : t("board");
  return spot === DEALER ? t("dealer") : `${t("spot")} ${spot}`;
}

/** How many cards are entered or chosen for a place; the board's come street by street. */
function need(spot) {
  if (said().command === "enter_cards" && said().body.spot === spot) return said().cards;
  return spot === DEALER ? rule.dealer_cards : spot === BOARD ? rule.board_cards : rule.player_cards;
}

function claimNext() {
  const claims = doc().progressive?.claims ?? [];
  return claims.find((one) => press(doc().console === "keypad" ? "j_pot" : "confirm", one.spot));
}

/** The one big button: what was begun on this page, or else what the server says comes next. */
function next() {
  if (!doc().next_press) return null;
  return begun() ?? asSaid(said());
}

/** A press of this page's own: chosen cards, chips, cards or an action for the place that is open here. */
function begun() {
  if (ui.stack) {
    const ready = ui.stack.cards.length === need(ui.stack.spot) || !ui.stack.cards.length;
    return { words: t(ui.stack.cards.length ? "stack_do" : "stack_none"), more: who(ui.stack.spot), act: stack, off: !ready, kind: "demo", name: "stack_deck" };
  }
  if (!dealing() || doc().malfunction) return null;
  if (ui.bet?.cents && ui.spot) return { words: t("place"), more: `${wagerName(doc(), ui.bet.wager)} ${dollars(ui.bet.cents)}`, act: placeBet, name: "bet" };
  const entering = toEnter();
  if (entering !== null && (ui.cardsOf !== null || !ui.spot || !toAct().length)) {
    return { words: t("enter"), more: t("enter_count", { who: who(entering), have: ui.cards.length, need: need(entering) }), act: () => enter(entering), off: ui.cards.length !== need(entering), name: "enter_cards" };
  }
  const offers = toAct();
  const offer = offers.find((one) => ui.low && one.takes_card) ?? offers.find((one) => one.spot === said().body.spot && one.action === said().body.action) ?? offers[0];
  return offer ? { words: offer.label, more: `${who(offer.spot)}${adds(offer.adds)}`, act: () => act(offer), off: offer.takes_card && !ui.low, name: "act" } : null;
}

/** The server's own press, and how this page carries it out. */
function asSaid({ command, label: words, more, body, urgent }) {
  const known = {
    malfunction_step: () => repair(doc().repair.find((one) => one.step === body.step)),
    run,
    confirm: () => confirm(doc().progressive.claims.find((one) => one.spot === body.spot)),
    j_pot: () => confirm(doc().progressive.claims.find((one) => one.spot === body.spot)),
    surveillance: () => verify(doc().to_verify.find((one) => one.win === body.win)),
    verify_payout: () => verify(doc().to_verify.find((one) => one.spot === body.spot && one.wager === body.wager)),
    name_win: () => nameWin(body.spot, body.hand),
    wait: () => {},
  };
  return {
    words: command === "name_win" ? handName(body.hand) : words, more, name: command === "name_win" ? `name-${body.spot}-${body.hand}` : command,
    act: known[command] ?? (() => give(command, body)), kind: urgent ? "alarm" : command === "deal" ? "green" : "",
    off: command === "wait" || (command === "lock_in" && (ui.lost || ui.hoped.size > 0)),
  };
}

function adds(wagers) {
  return Object.values(wagers).map((cents) => ` · +${dollars(cents)}`).join("");
}

// ---------------------------------------------------------------------------------------------------------- the orders

/**
 * A chip on the sensor, or off it. What is hoped for is shown at once, until the table says how it stands. Taps are
 * held against what was last ordered: the view may still be older than that.
 */
async function light(number) {
  const before = ui.hoped.get(number);
  const shown = before?.lit ?? spotOf(doc(), number).lit;
  ui.hoped.set(number, { lit: !shown, entry: Infinity, going: true });
  draw();
  if (before?.going) return;
  let ordered = shown;
  while (ui.hoped.get(number).lit !== ordered) {
    ordered = ui.hoped.get(number).lit;
    taps += 1;
    const done = await give(ordered ? "light" : "unlight", { spot: number }, `light-${number}-${taps}`);
    if (!done) {
      ui.hoped.delete(number);
      break;
    }
    const { lit } = ui.hoped.get(number);
    ui.hoped.set(number, { lit, entry: done.entry, going: lit !== ordered });
  }
  draw();
}

function lights(spot) {
  return dealing() && doc().kind === "progressive" && Boolean(doc().progressive) && !doc().progressive.locked && Boolean(spot);
}

function tap(number) {
  const spot = spotOf(doc(), number);
  desk.error = "";
  if (lights(spot)) {
    light(number);
    return;
  }
  leave();
  ui.spot = ui.chosenBefore === number ? 0 : number;
  ui.bet = ui.spot && doc().play?.stage === "betting" && doc().may.includes("bet") ? { wager: firstWager(ui.spot), cents: 0, typed: "" } : null;
  draw();
}

/** Put away what was begun. */
function leave() {
  Object.assign(ui, { chosenBefore: ui.spot, spot: 0, cards: [], cardsOf: null, low: "", extra: false, stack: null, bet: null, hands: 0 });
  forget();
}

function firstWager(number) {
  const placed = spotOf(doc(), number).wagers;
  const open = doc().wagers.filter((one) => one.wager !== "progressive");
  return (open.find((one) => one.required && !placed[one.wager]) ?? open.find((one) => one.required) ?? open[0])?.wager ?? "";
}

async function placeBet() {
  const { wager, cents } = ui.bet;
  const spot = ui.spot;
  if (await give("bet", { spot, wager, cents })) {
    ui.bet = { wager, cents: 0, typed: "" };
    draw();
  }
}

async function enter(spot) {
  const body = { spot, cards: ui.cards.join(" ") };
  if (ui.hands) body.hands = ui.hands;
  const done = await give("enter_cards", body, "enter_cards", (error) => {
    // CSC-A3: dealt by hand with Cover All, the hands are counted by the dealer.
    if (error.field === "hands") ui.hands = ui.hands || 2;
  });
  if (done) {
    leave();
    draw();
  }
}

async function stack() {
  const { spot, cards } = ui.stack;
  if (await give("stack_deck", { spot, cards: cards.join(" ") })) {
    stackedHere.set(spot, cards);
    leave();
    draw();
  }
}

async function act(offer) {
  const body = { spot: offer.spot, action: offer.action, cents: ui.extra ? Object.values(offer.optional)[0] ?? 0 : 0 };
  if (offer.takes_card) body.card = ui.low;
  if (await give("act", body)) {
    leave();
    draw();
  }
}

function nameWin(spot, hand) {
  leave();
  return give("name_win", { spot, hand }, `name-${spot}-${hand}`);
}

function confirm(claim) {
  const command = doc().console === "keypad" ? "j_pot" : "confirm";
  const title = t(claim.executive ? "card_executive" : command === "j_pot" ? "card_j_pot" : "card_confirm");
  const more = h("div", { class: "big-claim" }, h("p", {}, `${who(claim.spot)}: ${handName(claim.hand)}`), money(claim.due_cents, { class: "figure" }));
  const own = doc().may.includes(command);
  return supervised(command, title, { spot: claim.spot }, { fields: own ? null : more, card: claim.executive && data.who.role !== "executive" });
}

function run() {
  return supervised("run", t("card_run"), {});
}

function verify(one) {
  const player = field("player", t("player_name"), { value: spotOf(doc(), one.spot).player });
  const people = () => ({ player: player.querySelector("input").value.trim() });
  const fields = [h("p", {}, t("verify_words", { spot: one.spot, wager: wagerName(doc(), one.wager), amount: dollars(one.cents) })), player];
  if (one.win) return supervised("surveillance", t("verify"), () => ({ win: one.win, ...people() }), { fields });
  return supervised("verify_payout", t("verify"), () => ({ spot: one.spot, wager: one.wager, ...people() }), { fields });
}

function voidRound() {
  const cause = field("cause", t("cause"), { maxlength: 300 });
  const input = cause.querySelector("input");
  const quick = h("div", { class: "row" }, data.text.void_causes.map((words) => h("button", { class: "button", type: "button", onclick: () => { input.value = words; input.focus(); } }, words)));
  const broken = doc().malfunction ? h("label", { class: "tick" }, h("input", { type: "checkbox", name: "malfunction", checked: true }), t("void_malfunction")) : null;
  return supervised("void_round", t("void_title"), () => ({ cause: input.value.trim(), malfunction: Boolean(broken?.querySelector("input").checked) }), { fields: [h("p", {}, t("void_words")), quick, cause, broken] });
}

function dropClaim(claim) {
  const reason = field("reason", t("reason"), { maxlength: 300 });
  return supervised("drop_claim", t("no_win_title", { spot: claim.spot, hand: handName(claim.hand) }), () => ({ spot: claim.spot, reason: reason.querySelector("input").value.trim() }), { fields: reason });
}

function correct(spot) {
  const reason = field("reason", t("reason"), { maxlength: 300 });
  const wagered = !spot.booked;
  return supervised("correct_count", t(wagered ? "count_in" : "count_out", { spot: spot.number }), () => ({ spot: spot.number, wagered, reason: reason.querySelector("input").value.trim() }), { fields: reason });
}

/** BA-10: commission that a player owes and will not pay. */
function writeOff(spot) {
  const cause = field("cause", t("cause"), { maxlength: 300 });
  return supervised("write_off_commission", t("write_off_title", { spot: spot.number, amount: dollars(spot.commission) }), () => ({ spot: spot.number, cause: cause.querySelector("input").value.trim() }), { fields: cause });
}

/** BA-1, CW-1: the history of the old shoe goes with it, so it is asked for once more. */
function changeShoe() {
  return askFor(t("new_shoe"), h("p", {}, t("new_shoe_words")), () => give("change_shoe"));
}

async function repair(one) {
  if (!one.needs_note) return give("malfunction_step", { step: one.step });
  const note = field("note", t(`note.${one.step}`), { maxlength: 300 });
  return askFor(one.words, note, async () => {
    await give("malfunction_step", { step: one.step, note: note.querySelector("input").value.trim() });
  });
}

// ----------------------------------------------------------------------------------------------------------- the panel

function panel() {
  const content = panelContent();
  return h("section", { class: `panel desk-panel ${content.kind ?? ""}`, "aria-label": t("panel"), key: "panel" }, content.inside);
}

function panelContent() {
  const play = doc().play;
  if (!play && !doc().progressive) return { inside: h("div", { class: "panel-words" }, h("h2", {}, t("nothing_title")), h("p", {}, t("nothing_words"))) };
  if (doc().malfunction && !ui.spot) return { inside: repairPanel() };
  if (ui.stack) return { inside: stackPanel(), kind: "demo" };
  if (ui.spot && staff()) return { inside: spotPanel(ui.spot) };
  const entering = toEnter();
  if (entering !== null) return { inside: cardPanel(entering) };
  const offers = toAct();
  if (offers.length) return { inside: actionPanel(offers) };
  if (doc().step) return { inside: stepPanel(doc().step) };
  if (play?.stage === "closing" || (doc().progressive?.locked && (doc().progressive.wins.length || doc().progressive.envy.length || doc().to_verify.length))) return { inside: closingPanel() };
  if (play) return { inside: playPanel() };
  return { inside: progressivePanel() };
}

/** The next step of one spot, or what is done for several at once: forfeits, and the pass of a dealer without a hand. */
function stepPanel(step) {
  const name = step.spot ? spotOf(doc(), step.spot).player : "";
  return h("div", { class: "step" },
    h("div", { class: "step-figures", "aria-live": "polite" },
      step.spot ? h("p", { class: "step-spot" }, who(step.spot), name ? h("small", {}, name) : null) : h("p", { class: "step-words" }, step.words),
      step.take_cents ? h("p", { class: "step-take" }, h("span", {}, t("take")), money(step.take_cents)) : null,
      step.pay_cents ? h("p", { class: "step-pay" }, h("span", {}, t("pay")), money(step.pay_cents)) : null,
      step.mark_cents ? h("p", { class: "step-mark" }, h("span", {}, t("mark")), money(step.mark_cents)) : null,
      !step.take_cents && !step.pay_cents ? h("p", { class: "step-push" }, t("push")) : null),
    h("ul", { class: "plain step-lines" }, step.lines.map((line) => h("li", { key: `${line.spot}-${line.wager}`, class: line.result },
      h("strong", {}, step.spot ? line.label : `${who(line.spot)}: ${line.label}`), h("span", { class: "step-amount" }, line.take_cents ? t("takes", { amount: dollars(line.take_cents) }) : line.pay_cents ? t("pays", { amount: dollars(line.pay_cents) }) : t("stays")),
      h("small", {}, line.mark_cents ? `${line.why} · ${t("marks", { amount: dollars(line.mark_cents) })}` : line.why)))));
}

function closingPanel() {
  const side = doc().progressive;
  return h("div", { class: "closing" },
    side?.wins.length ? h("div", {}, h("h2", {}, t("wins")), h("ul", { class: "plain" }, side.wins.map((win) => h("li", { key: win.number },
      h("strong", {}, `${who(win.spot)}: ${handName(win.hand)}`), " ", money(win.cents, { class: "figure" }),
      win.tax_form ? h("span", { class: "tag warn" }, t("tax_form")) : null,
      win.surveillance && !win.verified ? h("span", { class: "tag bad" }, t("needs_surveillance")) : null,
      win.verified ? h("span", { class: "tag good" }, t("verified")) : null)))) : null,
    side?.envy.length ? h("div", {}, h("h2", {}, t("envy")), h("ul", { class: "plain" }, side.envy.map((one) => h("li", { key: `${one.spot}-${one.winner}` },
      h("strong", {}, who(one.spot)), " ", money(one.cents, { class: "figure" }), " ", h("small", {}, t("envy_of", { spot: one.winner })))))) : null,
    side?.face_up.length ? h("p", {}, t("face_up", { spots: side.face_up.join(", ") })) : null,
    doc().to_verify.filter((one) => !one.win).map((one) => h("p", { class: "warn", key: `${one.spot}-${one.wager}` }, t("verify_words", { spot: one.spot, wager: wagerName(doc(), one.wager), amount: dollars(one.cents) }))),
    side?.claims.length ? h("div", {}, h("h2", {}, t("claims_waiting")), h("ul", { class: "plain" }, side.claims.map((claim) => h("li", { key: `waits-${claim.spot}` },
      h("strong", {}, `${who(claim.spot)}: ${handName(claim.hand)}`), " ", money(claim.due_cents, { class: "figure" }), claim.turn > 1 ? h("small", {}, t("turn", { turn: claim.turn, meter: spoken(claim.meter) })) : null)))) : null,
    !side?.wins.length && !side?.claims.length && !side?.envy.length && !doc().to_verify.length ? h("p", { class: "panel-words" }, t("all_done", { close: label("close_round") || "" })) : null);
}

function playPanel() {
  const play = doc().play;
  const missing = play.spots.filter((one) => one.deciding).map((one) => one.spot);
  const out = h("ul", { class: "plain screen-lines" }, play.screen.map((line) => h("li", {}, line)));
  if (play.stage === "betting") {
    return h("div", { class: "panel-split" }, h("div", {}, h("h2", {}, t("bets_title")), h("p", {}, t(doc().may.includes("bet") ? "bets_words" : doc().kind === "virtual" ? "players_own" : "bets_look"))),
      h("div", {}, h("h2", {}, t("limits")), h("ul", { class: "plain limits" }, doc().wagers.map((one) => h("li", { key: one.wager }, h("span", {}, one.label), limits(one))))));
  }
  const without = Object.entries(play.without).map(([wager, spots]) => h("li", { key: wager }, t("without", { wager: wagerName(doc(), wager), spots: spots.join(", ") })));
  return h("div", { class: "panel-split" },
    h("div", {}, h("h2", {}, stageWords()),
      play.stage === "deciding" ? h("p", { class: "figure" }, t("wait_for", { spots: missing.join(", ") })) : null,
      play.display ? h("p", {}, play.display) : null,
      without.length && play.stage !== "deciding" ? h("ul", { class: "plain" }, without) : null),
    h("div", {}, h("h2", {}, t("shuffler")), out));
}

function limits(one) {
  return h("span", { class: "money" }, one.minimum_cents === one.maximum_cents ? dollars(one.minimum_cents) : `${dollars(one.minimum_cents)} – ${dollars(one.maximum_cents)}`);
}

function progressivePanel() {
  const side = doc().progressive;
  const words = !side.locked ? "sensor_words" : side.claims.length ? "claim_words" : "locked_words";
  return h("div", { class: "panel-split three" },
    h("div", {}, h("h2", {}, stageWords()), h("p", {}, t(dealing() ? words : "look_words", generation()))),
    h("div", {}, h("h2", {}, t("count")), h("p", { class: "figure" }, t("in_count", { count: side.lit.length })),
      side.waiting.length ? h("p", {}, t("waiting", { spots: side.waiting.join(", ") })) : null),
    h("div", {}, h("h2", {}, t("jackpot")), meterLines().map(([name, cents]) => h("p", { class: "panel-meter", key: name }, meterLines().length > 1 ? h("small", {}, name) : null, money(cents)))));
}

function repairPanel() {
  return h("div", { class: "repair" }, h("h2", { class: "bad" }, t("malfunction")),
    h("p", {}, t("malfunction_words")),
    h("div", { class: "row" }, doc().may.includes("malfunction_step") ? doc().repair.slice(1).map((one) => h("button", { class: "button big", type: "button", key: one.step, disabled: busy("malfunction_step"), onclick: () => repair(one) }, one.words)) : null,
      press("void_round") ? h("button", { class: "button big danger", type: "button", onclick: voidRound }, t("press.void_round")) : null));
}

function taken(except) {
  const found = new Set();
  // From several decks the same card comes again; the server says when it came too often.
  if (rule.decks > 1) return found;
  for (const one of doc().play.spots) if (one.spot !== except) for (const text of split(one.cards)) found.add(text);
  if (except !== DEALER) for (const text of split(doc().play.dealer)) found.add(text);
  for (const text of split(doc().play.board)) found.add(text);
  return found;
}

function cardPanel(spot) {
  const offers = spot > DEALER ? toAct() : [];
  const others = press("enter_cards").spots;
  const covers = spot === DEALER && ui.hands !== 0;
  return cardKeypad({
    title: who(spot), need: need(spot), draft: ui.cards, taken: taken(spot), joker: rule.joker, again: rule.decks > 1,
    on: { add: addCard, back: takeBack },
    more: [
      others.length > 1 ? h("div", { class: "row entry-for", role: "group", "aria-label": t("enter_for") }, others.map((one) => h("button", {
        class: "button small", type: "button", key: `for-${one}`, "aria-pressed": String(one === spot), onclick: () => { leave(); ui.cardsOf = one; draw(); },
        "aria-label": t("enter_for_spot", { who: who(one) }),
      }, one === DEALER ? t("dealer_short") : one === BOARD ? t("board_short") : String(one)))) : null,
      offers.filter((one) => !one.takes_card).map((one) => h("button", { class: "button small", type: "button", key: one.action, disabled: busy("act"), onclick: () => act(one) }, one.label)),
      covers ? h("label", { class: "inline" }, t("hands_dealt"), h("select", { onchange: (event) => { ui.hands = Number(event.target.value); } }, [2, 3, 4, 5, 6, 7, 8].map((count) => h("option", { value: count, selected: count === ui.hands }, count)))) : null,
    ],
  });
}

function stackPanel() {
  const used = new Set([...stackedHere].filter(([spot]) => spot !== ui.stack.spot && doc().play.stacked.includes(spot)).flatMap(([, cards]) => cards));
  return cardKeypad({
    title: t("stack_title", { who: who(ui.stack.spot) }), need: need(ui.stack.spot), draft: ui.stack.cards, taken: used, joker: rule.joker, kind: "demo",
    on: { add: addCard, back: takeBack },
    more: h("button", { class: "button small", type: "button", onclick: () => { leave(); draw(); } }, t("cancel")),
  });
}

function addCard(text) {
  const draft = ui.stack ? ui.stack.cards : ui.cards;
  draft.push(text);
  forget();
  draw();
}

function takeBack() {
  const draft = ui.stack ? ui.stack.cards : ui.cards;
  draft.pop();
  forget();
  draw();
}

/** What a spot did, as the dealer saw it: a button each, and the cards where one of them is named. */
function actionPanel(offers) {
  const spot = spotOf(doc(), offers[0].spot);
  const low = offers.find((one) => one.takes_card);
  const [extra] = offers.map((one) => Object.entries(one.optional)[0]).filter(Boolean);
  return h("div", { class: "choices" },
    h("h2", {}, `${who(spot.number)}${spot.player ? ` · ${spot.player}` : ""}${rule.board_cards ? ` · ${spot.deciding}` : ""}`),
    low ? h("p", {}, t("tap_low")) : null,
    h("div", { class: "row choice-cards" }, low ? split(spot.cards).map((text) => h("button", {
      class: "low-card", type: "button", key: text, "aria-pressed": String(ui.low === text), "aria-label": t("low_is", { card: cardName(text) }), onclick: () => { ui.low = ui.low === text ? "" : text; draw(); },
    }, drawCard(text))) : h("span", { class: "fan wide" }, split(spot.cards).map((text) => drawCard(text)))),
    h("div", { class: "row" },
      extra ? h("button", { class: "button big", type: "button", "aria-pressed": String(ui.extra), onclick: () => { ui.extra = !ui.extra; draw(); } }, `${wagerLabel(extra[0])}${adds({ [extra[0]]: extra[1] })}`) : null,
      offers.filter((one) => !one.takes_card).map((one) => h("button", { class: `button big ${one.folds ? "folds" : ""}`, type: "button", key: one.action, disabled: busy("act"), onclick: () => { ui.low = ""; act(one); } }, `${one.label}${adds(one.adds)}`)),
      press("enter_cards", spot.number) ? h("button", { class: "button", type: "button", onclick: () => { leave(); ui.cardsOf = spot.number; draw(); } }, t("correct_cards")) : null));
}

/** What the layout calls a wager, one that a choice makes too. */
function wagerLabel(wager) {
  return rule.wagers.find((one) => one.wager === wager)?.name ?? spoken(wager);
}

// --------------------------------------------------------------------------------------------------- one spot's panel

function spotPanel(number) {
  const spot = spotOf(doc(), number);
  const entering = toEnter();
  if (entering === number) return cardPanel(number);
  const offers = toAct();
  return h("div", { class: "spot-panel" },
    h("div", { class: "spread spot-panel-head" }, h("h2", {}, `${who(number)}${spot.player ? ` · ${spot.player}` : ""}${spot.name ? ` · ${spot.name}` : ""}`),
      h("button", { class: "button small", type: "button", onclick: () => { leave(); draw(); } }, t("close"))),
    offers.length ? actionPanel(offers) : null,
    doc().play && !spot.player && dealing() ? seatForm(number) : null,
    doc().play?.stage === "betting" && spot.player && doc().may.includes("bet") ? betPanel(spot) : null,
    doc().console === "touch" ? handButtons(spot) : null,
    Object.keys(spot.lines).length && !handsOpen(spot) ? h("ul", { class: "plain step-lines" }, Object.entries(spot.lines).map(([wager, line]) => h("li", { key: wager, class: line.result }, h("strong", {}, wagerName(doc(), wager)), h("span", { class: "step-amount" }, t("came_back", { wagered: dollars(line.wagered), returned: dollars(line.returned) })), h("small", {}, line.why)))) : null,
    spotActions(spot));
}

function handsOpen(spot) {
  return Boolean(press("name_win", spot.number) || spot.claim);
}

function mayName(spot, hand) {
  return dealing() && Boolean(press("name_win", spot.number)) && (!spot.claim || spot.claim.hand === hand);
}

function handButtons(spot) {
  if (!handsOpen(spot)) {
    const why = doc().progressive?.locked && !spot.booked && spot.inRound !== undefined ? t("not_in") : "";
    return why ? h("p", {}, why) : null;
  }
  return h("div", { class: "hand-buttons", role: "group", "aria-label": t("hands_of", { spot: spot.number }) }, doc().hands.map((hand) => h("button", {
    class: "button big", type: "button", key: hand, "aria-pressed": String(spot.claim?.hand === hand), disabled: !mayName(spot, hand) || busy(`name-${spot.number}-${hand}`), onclick: () => nameWin(spot.number, hand),
  }, handName(hand))));
}

function seatForm(number) {
  const name = (form) => form.querySelector("input").value.trim() || t("seat_name", { spot: number });
  const seat = async (event) => {
    event.preventDefault();
    await give("sit_down", { spot: number, player: name(event.currentTarget) });
    ui.bet = { wager: firstWager(number), cents: 0, typed: "" };
    draw();
  };
  const virtual = doc().kind === "virtual";
  const letIn = (event) => { event.preventDefault(); admit(event.currentTarget.querySelector("input").value.trim()); };
  return h("form", { class: "seat-form", onsubmit: virtual ? letIn : seat, key: `seat-${number}` },
    h("label", {}, t("player_name"), h("input", { name: "player", autocomplete: "off", maxlength: 40, placeholder: virtual ? "" : t("seat_name", { spot: number }), "data-own": true })),
    virtual ? h("p", {}, t("players_own")) : null,
    h("button", { class: "button big main", type: "submit", disabled: busy("sit_down") }, t(virtual ? "admit_do" : "seat")));
}

function betPanel(spot) {
  const chosen = doc().wagers.find((one) => one.wager === ui.bet?.wager);
  const pick = (wager) => { ui.bet = { wager, cents: 0, typed: "" }; draw(); };
  return h("div", { class: "bets" },
    h("div", { class: "bet-wagers", role: "group", "aria-label": t("wagers") }, doc().wagers.map((one) => {
      const placed = spot.wagers[one.wager] ?? 0;
      const full = !placed && doc().totals.find((total) => total.spot === spot.number)?.full.includes(one.wager);
      const fixed = one.wager === "progressive";
      return h("button", {
        class: `button bet-wager ${placed ? "placed" : ""}`, type: "button", key: one.wager, "aria-pressed": String(fixed ? placed > 0 : ui.bet?.wager === one.wager), disabled: busy("bet") || full || (fixed && ui.lost),
        onclick: () => (fixed ? give("bet", { spot: spot.number, wager: one.wager, cents: placed ? 0 : one.minimum_cents }) : pick(one.wager)),
      }, h("span", {}, one.label), placed ? money(placed) : h("small", {}, full ? t("no_more_games") : limits(one)));
    })),
    chosen ? h("div", { class: "row chips", role: "group", "aria-label": t("chips") },
      h("button", { class: "button", type: "button", onclick: () => stakes(chosen.minimum_cents) }, t("least", { amount: dollars(chosen.minimum_cents) })),
      CHIPS.map((cents) => h("button", { class: `bet-chip of-cents-${cents}`, type: "button", key: cents, "aria-label": t("add_chip", { amount: dollars(cents) }), onclick: () => stakes(ui.bet.cents + cents) }, String(cents / 100))),
      h("button", { class: "button", type: "button", disabled: !ui.bet.cents && !spot.wagers[chosen.wager], onclick: () => (ui.bet.cents ? stakes(0) : give("bet", { spot: spot.number, wager: chosen.wager, cents: 0 })) }, t(ui.bet.cents ? "clear" : "take_down")),
      h("span", { class: "figure draft", "aria-live": "polite" }, ui.bet.cents ? dollars(ui.bet.cents) : "")) : null);
}

function stakes(cents) {
  ui.bet.cents = cents;
  ui.bet.typed = "";
  draw();
}

function spotActions(spot) {
  const side = doc().progressive;
  const later = side?.locked && doc().kind === "progressive" && dealing();
  const may = (command) => press(command, spot.number);
  return h("div", { class: "row spot-actions" },
    dealing() && may("fold") && !spot.folded ? h("button", { class: "button", type: "button", key: "fold", disabled: busy("fold"), onclick: () => give("fold", { spot: spot.number }) }, t("press.fold")) : null,
    dealing() && may("collect") ? h("button", { class: "button", type: "button", key: "collect", disabled: busy("collect"), onclick: () => give("collect", { spot: spot.number }) }, label("collect")) : null,
    later ? h("button", { class: "button", type: "button", key: "later", "aria-pressed": String(spot.waits), disabled: ui.lost || busy("later"), onclick: () => give(spot.waits ? "unlight" : "light", { spot: spot.number }, "later") }, t("chip_next")) : null,
    may("correct_count") ? h("button", { class: "button", type: "button", key: "correct", onclick: () => correct(spot) }, t(spot.booked ? "count_out_short" : "count_in_short")) : null,
    spot.claim && may("drop_claim") ? h("button", { class: "button danger", type: "button", key: "drop", onclick: () => dropClaim(spot.claim) }, t("no_win")) : null,
    dealing() && may("collect_commission") ? h("button", { class: "button", type: "button", key: "commission", disabled: busy("collect_commission"), onclick: () => give("collect_commission", { spot: spot.number }) }, t("collect_commission", { amount: dollars(spot.commission) })) : null,
    spot.commission && may("write_off_commission") ? h("button", { class: "button", type: "button", key: "write-off", onclick: () => writeOff(spot) }, t("write_off")) : null,
    dealing() && spot.player && may("stand_up") ? h("button", { class: "button", type: "button", key: "leave", disabled: busy("stand_up"), onclick: () => give("stand_up", { spot: spot.number }) }, spot.commission ? t("leave_and_pay", { amount: dollars(spot.commission) }) : t("press.stand_up")) : null);
}

function beginStack(spot) {
  leave();
  ui.stack = { spot, cards: [] };
  draw();
}

// --------------------------------------------------------------------------------------------------------- the console

function claims() {
  const side = doc().progressive;
  if (!side?.claims.length) return null;
  const command = doc().console === "keypad" ? "j_pot" : "confirm";
  return h("ul", { class: "plain claims", "aria-label": t("claims_waiting"), key: "claims" }, side.claims.map((claim) => h("li", { class: "claim-line", key: `claim-${claim.spot}` },
    h("div", { class: "spread" }, h("strong", {}, `${who(claim.spot)}: ${handName(claim.hand)}`), money(claim.due_cents, { class: "claim-due" })),
    h("small", {}, claim.at_j_pot ? t("fixed") : claim.turn > 1 ? t("turn", { turn: claim.turn, meter: spoken(claim.meter) }) : t(claim.executive ? "needs_executive" : "first_turn")),
    staff() ? h("div", { class: "row" },
      press(command, claim.spot) ? h("button", { class: "button small", type: "button", key: "do", disabled: busy(command), onclick: () => confirm(claim), "aria-label": `${command === "j_pot" ? "J-POT" : "CONFIRM"} ${who(claim.spot)}` }, command === "j_pot" ? "J-POT" : "CONFIRM") : null,
      press("drop_claim", claim.spot) ? h("button", { class: "button small", type: "button", key: "no", onclick: () => dropClaim(claim) }, t("no_win")) : null) : null)));
}

function called() {
  const side = doc().progressive;
  if (!side?.called_at) return null;
  return h("p", { class: `called ${side.arrived_at ? "good" : "warn"}`, key: "called" }, side.arrived_at ? t("arrived_at", { at: clock(side.arrived_at) }) : t("called_at", { at: clock(side.called_at) }));
}

function mainButton() {
  const one = next();
  if (!one) return h("p", { class: "looking", key: "looking" }, t("looking"));
  const going = busy(one.name);
  return h("button", {
    class: `main-press ${one.kind ?? ""}`, id: "main-press", type: "button", key: "main-press", disabled: one.off || going, "data-busy": going ? "1" : undefined, "aria-busy": going ? "true" : undefined, onclick: () => one.act(),
  }, h("span", { class: "main-words" }, one.words), one.more ? h("span", { class: "main-more" }, one.more) : null);
}

function others(current) {
  if (!staff() && doc().may.includes("surveillance")) return doc().to_verify.length ? [{ name: "verify", words: t("verify"), act: () => verify(doc().to_verify[0]) }] : [];
  if (!staff()) return doc().may.includes("malfunction_step") ? [{ name: "more", words: t("more"), act: more }] : [];
  const side = doc().progressive;
  const found = [];
  const add = (name, words, act, more = {}) => found.push({ name, words, act, ...more });
  if (dealing() && press("deal")) add("deal-all", t("deal_all"), () => give("deal", { packets: 0 }));
  if (press("arrive") && side && !side.arrived_at) add("arrive", t("press.arrive"), () => supervised("arrive", t("press.arrive"), {}));
  if (dealing() && press("close_round") && current?.name !== "close_round") add("close_round", label("close_round"), () => give("close_round"));
  if (dealing() && press("change_shoe") && doc().play.shoe.last_round) add("change_shoe", t("new_shoe"), changeShoe);
  if (doc().to_verify.length && !["surveillance", "verify_payout"].includes(current?.name)) add("verify", t("verify"), () => verify(doc().to_verify[0]));
  add("more", t("more"), more);
  return found;
}

function more() {
  const dialog = h("dialog", { class: "desk-dialog", "aria-label": t("more"), onclose: () => dialog.remove() });
  const line = (words, act, kind = "") => h("button", { class: `button big ${kind}`, type: "button", onclick: () => { dialog.close(); act(); } }, words);
  const side = doc().progressive;
  const open = h("ul", {}, h("li", {}, t("over_round", { round: side?.round ?? doc().play?.round ?? 0, stage: stageWords() })),
    (side?.claims ?? []).map((claim) => h("li", {}, `${who(claim.spot)}: ${handName(claim.hand)} `, dollars(claim.due_cents))),
    meterLines().map(([name, cents]) => h("li", {}, `${t("meter")} ${name}: `, dollars(cents))));
  dialog.append(h("h2", {}, t("more_title", { table })), h("div", { class: "more-buttons" },
    press("void_round") ? line(t("press.void_round"), voidRound, "danger") : null,
    doc().may.includes("malfunction_step") ? doc().repair.map((one) => line(one.words, () => repair(one))) : null,
    dealing() && press("change_shoe") ? line(t("new_shoe"), changeShoe) : null,
    dealing() && press("collect_commission") ? line(t("collect_all_commission", { amount: dollars(Object.values(doc().play.commission).reduce((sum, cents) => sum + cents, 0)) }), () => give("collect_commission", { spot: 0 })) : null,
    doc().may.includes("sign_over") ? line(t("sign_over"), () => signOver(open)) : null,
    dealing() && doc().kind === "virtual" ? line(t("admit"), () => admit()) : null,
    dealing() && doc().demonstration && doc().kind === "virtual" && !doc().play.packets_out && !doc().play.shoe ? line(t("stack_dealer"), () => beginStack(DEALER), "stack-button") : null,
    doc().kind !== "progressive" ? h("a", { class: "button big", href: `/shuffler/${encodeURIComponent(table)}` }, t("to_shuffler")) : null,
    rule.splits.length && doc().play ? h("a", { class: "button big", href: `/verify/${encodeURIComponent(table)}` }, t("to_verify")) : null,
    h("a", { class: "button big", href: `/sign/${encodeURIComponent(table)}` }, t("to_sign"))),
  h("button", { class: "button", type: "button", onclick: () => dialog.close() }, t("close")));
  document.body.append(dialog);
  dialog.showModal();
}

function errorLine() {
  return h("p", { class: "desk-error", role: "alert", key: "error" }, desk.error);
}

/** TR-11: whose parts are in the shuffle of a virtual table. */
function shuffleLine() {
  const deck = doc().play?.deck;
  if (!deck?.commitment) return null;
  const spots = Object.keys(deck.player_seeds);
  return h("p", { class: "console-shuffle", key: "shuffle" }, h("small", {}, t("shuffle_locked"), " ", spots.length ? t("shuffle_parts", { spots: spots.join(", ") }) : t("shuffle_none")));
}

function touchConsole(current) {
  return h("aside", { class: "console touch", "aria-label": t("console"), key: "console" },
    h("div", { class: "console-head", key: "head" },
      h("div", { class: "spread" }, h("strong", { class: "console-table" }, table), h("span", {}, `${t("round")} ${doc().progressive?.round ?? doc().play?.round ?? 0}`)),
      h("div", { class: "spread" }, h("small", {}, gameName(doc().game)), h("span", { class: "tag" }, stageWords())),
      meterLines().map(([name, cents]) => h("div", { class: "console-meter", key: `meter-${name}` }, h("small", {}, meterLines().length > 1 ? name : t("jackpot")), money(cents, { class: "console-amount" })))),
    h("div", { class: "console-middle", key: "middle" }, called(), claims(), shuffleLine(), shoe(doc().play), roads(doc().play)),
    errorLine(),
    h("div", { class: "console-others", key: "others" }, others(current).map((one) => h("button", { class: "button", type: "button", key: one.name, disabled: busy(one.name), onclick: one.act }, one.words))),
    mainButton());
}

function keypadConsole(current) {
  const spot = ui.spot ? spotOf(doc(), ui.spot) : null;
  const claim = claimNext();
  return h("aside", { class: "console pad", "aria-label": t("console"), key: "console" },
    lcd(doc(), ui, stageWords(), meterLines()),
    h("div", { class: "console-middle", key: "middle" }, called(), claimTurns(), shuffleLine(), shoe(doc().play), roads(doc().play)),
    staff() ? handKeys(doc(), ui, (hand) => Boolean(spot) && mayName(spot, hand), (hand) => nameWin(ui.spot, hand), (hand) => busy(`name-${ui.spot}-${hand}`)) : null,
    errorLine(),
    h("div", { class: "pad-rows", key: "rows" },
      staff() ? h("div", { class: "pad-row", key: "switch" },
        key("J-POT", () => confirm(claim), { kind: "amber", on: Boolean(claim), busy: busy("j_pot") }),
        key("RUN", run, { kind: "amber", on: Boolean(press("run")), busy: busy("run") })) : null,
      h("div", { class: "pad-row", key: "others" }, others(current).map((one) => key(one.words, one.act, { busy: busy(one.name) })))),
    mainButton());
}

function claimTurns() {
  const waiting = doc().progressive?.claims.filter((one) => one.turn > 1) ?? [];
  return waiting.map((one) => h("p", { key: `turn-${one.spot}` }, h("small", {}, `${who(one.spot)}: ${t("turn", { turn: one.turn, meter: spoken(one.meter) })}`)));
}

// ------------------------------------------------------------------------------------------------------------ the page

function draw() {
  if (!doc()) return;
  if (ui.spot > doc().spots) leave();
  for (const [number, hoped] of ui.hoped) if (doc().entry >= hoped.entry && !hoped.going) ui.hoped.delete(number);
  if (ui.bet && doc().play?.stage !== "betting") ui.bet = null;
  if (ui.stack && doc().play?.packets_out) leave();
  const current = next();
  const skin = doc().console;
  main(h("h1", { class: "unseen", key: "h1" }, `${t("title")} ${table}`),
    h("div", { class: `desk ${skin} of-${doc().kind}`, key: "desk" },
      h("p", { class: `prompt ${doc().stops.length ? "stopped" : ""}`, role: "status", "aria-live": "polite", key: "prompt" }, h("span", {}, prompt())),
      felt(doc(), ui, { tap: staff() ? tap : null, lights }),
      panel(),
      skin === "keypad" ? keypadConsole(current) : touchConsole(current)));
}

function onKey(event) {
  if (!doc() || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") || event.target.closest?.("input, select, textarea")) return;
  if (event.key === "Escape" && (ui.spot || ui.stack || ui.cards.length)) {
    leave();
    draw();
    return;
  }
  const entering = ui.stack ? ui.stack.spot : toEnter();
  if (entering !== null && rule) return typeCard(event, entering);
  if (ui.bet && ui.spot && dealing()) typeBet(event);
}

function typeCard(event, spot) {
  const draft = ui.stack ? ui.stack.cards : ui.cards;
  if (event.key === "Backspace") {
    event.preventDefault();
    takeBack();
  } else if (event.key === "Enter" && draft.length === need(spot)) {
    event.preventDefault();
    next()?.act();
  } else if (draft.length < need(spot) && event.key.length === 1) {
    const text = typed(event.key, rule.joker);
    if (text === null) return;
    event.preventDefault();
    if (text && (draft.includes(text) || (!ui.stack && taken(spot).has(text)))) {
      desk.error = t("card_seen", { card: cardName(text) });
      draw();
    } else if (text) {
      desk.error = "";
      addCard(text);
    } else draw();
  }
}

function typeBet(event) {
  if (/^\d$/.test(event.key) && ui.bet.typed.length < 6) ui.bet.typed += event.key;
  else if (event.key === "Backspace" && ui.bet.typed) ui.bet.typed = ui.bet.typed.slice(0, -1);
  else if (event.key === "Enter" && ui.bet.cents && event.target.id !== "main-press") {
    event.preventDefault();
    placeBet();
    return;
  } else return;
  event.preventDefault();
  ui.bet.cents = Number(ui.bet.typed || "0") * 100;
  draw();
}

function missing(words) {
  main(h("section", { class: "notice" }, h("h1", {}, t("no_table")), h("p", {}, words), h("a", { class: "button", href: "/" }, t("nav.floor"))));
}

async function begin() {
  desk.draw = draw;
  let first;
  try {
    first = await get(`tables/${encodeURIComponent(table)}`);
    rule = await get(`games/${encodeURIComponent(first.game)}`);
  } catch (error) {
    missing(error.message);
    return;
  }
  take(first);
  document.title = `${table} · ${data.site}`;
  document.addEventListener("keydown", onKey);
  const link = first.link ? [`link/${first.link}`] : [];
  watch([`table/${table}`, ...link], {
    view(subject, view) {
      if (subject.startsWith("table/")) take(view);
      else {
        meters.set(view.link, Object.fromEntries(view.meters.map((one) => [one.meter, one.cents])));
        draw();
      }
    },
    meters(subject, message) {
      meters.set(subject.slice(5), message.meters);
      draw();
    },
    lost() {
      ui.lost = true;
      draw();
    },
    back() {
      ui.lost = false;
      draw();
    },
    refused(problem) {
      if (problem.status === 401) location.href = `/sign-in?next=${encodeURIComponent(location.pathname)}`;
      else missing(problem.detail);
    },
  });
  // A player's time runs out without anything happening: ask now and then.
  setInterval(async () => {
    if (doc().kind === "virtual" && doc().play?.stage === "deciding" && dealing() && !ui.lost && !anyBusy()) take(await get(`tables/${encodeURIComponent(table)}`).catch(() => doc()));
  }, 3_000);
}

begin().catch(tell);
