// The player's seat: coming in, choosing a table and a spot, and playing there.

import { complain, get, order, post, pressing, Refused } from "../api.js";
import { board } from "../board.js";
import { cards } from "../cards.js";
import { chip, DENOMINATIONS, face, pile, Wagers } from "../chips.js";
import { choices, extra, setting } from "../deciding.js";
import { checkRound, chooseCards } from "../deck.js";
import { h, main } from "../dom.js";
import { watch } from "../live.js";
import { cents as amountOf, dollars, money, wide } from "../money.js";
import { data, gameName, spoken, t } from "../page.js";
import { dropReturn, keepReturn, keptReturn } from "../return.js";
import { roads, shoe } from "../roads.js";
import { Shuffle } from "../shuffle.js";

const table = data.path.table ?? "";
const here = `tables/${encodeURIComponent(table)}`;
const me = data.who.name;

// -------------------------------------------------------------------------------------------------------- coming in

function door() {
  const form = (title, words, label, name, path, more = {}) => {
    const error = h("p", { class: "field-error", role: "alert" });
    return h("section", { class: "panel" }, h("h2", {}, title), words ? h("p", {}, words) : null, h("form", {
      onsubmit: pressing(async (event) => {
        error.textContent = "";
        try {
          keepReturn(await post(path, Object.fromEntries(new FormData(event.target))));
          location.reload();
        } catch (refused) {
          if (!(refused instanceof Refused)) throw refused;
          error.textContent = refused.message;
        }
      }),
    }, h("label", {}, label, h("input", { name, required: true, autocomplete: "off", maxlength: 40, ...more })), error,
    h("button", { class: "button main big", type: "submit" }, t("enter"))));
  };
  const staff = data.who.kind !== "nobody";
  const kept = keptReturn();
  const back = pressing(async () => {
    try {
      keepReturn(await post("session/player", { code: kept.code }));
    } catch (refused) {
      if (!(refused instanceof Refused) || refused.status !== 401) throw refused;
      dropReturn();
    }
    location.reload();
  });
  main(h("div", { class: "seat-door" }, h("h1", {}, t("sign_in_title")),
    staff ? h("section", { class: "panel" }, h("h2", {}, t("is_staff")), h("p", {}, t("is_staff_words")), table ? h("a", { class: "button", href: `/table/${encodeURIComponent(table)}` }, t("to_table")) : null) : null,
    staff || !kept ? null : h("section", { class: "panel" }, h("h2", {}, t("return_title")), h("p", {}, t("return_words")), h("button", { class: "button main big", type: "button", onclick: back }, t("return_as", { name: kept.name }))),
    staff ? null : h("div", { class: "grid" },
      data.demonstration ? form(t("guest_title"), t("guest_words"), t("guest_name"), "name", "session/guest", { autofocus: true }) : null,
      form(t("code_title"), t("sign_in_words"), t("code"), "code", "session/player", { autocapitalize: "characters", spellcheck: "false" }))));
}

// ------------------------------------------------------------------------------------------------- choosing a table

function mySpots(doc) {
  return Object.entries(doc.play.seats).filter(([, player]) => player === me).map(([spot]) => Number(spot));
}

function numbers(doc) {
  return Array.from({ length: doc.spots }, (_, place) => place + 1);
}

function sit(name, spot) {
  return pressing(async () => {
    await order(`tables/${encodeURIComponent(name)}/sit-down`, { spot, player: me });
    if (name !== table) location.href = `/seat/${encodeURIComponent(name)}`;
  });
}

function meters(doc) {
  const found = Object.entries(doc.progressive?.meters ?? {});
  return found.length ? h("dl", { class: "seat-meters" }, found.map(([name, cents]) => h("div", { key: name }, h("dt", {}, found.length > 1 ? spoken(name) : t("jackpot")), h("dd", {}, money(cents))))) : null;
}

async function choose() {
  const found = new Map();
  const draw = () => {
    const virtual = [...found.values()].sort((one, other) => mySpots(other).length - mySpots(one).length);
    main(h("h1", {}, t("choose_title")), h("p", {}, virtual.length ? t("choose_words") : t("no_tables")), h("div", { class: "seat-tables" }, virtual.map(offered)), returnCode());
  };
  let after = "";
  do {
    const page = await get("tables", { limit: 50, after });
    for (const doc of page.items) if (doc.kind === "virtual") found.set(doc.table, doc);
    after = page.next;
  } while (after);
  draw();
  if (found.size) watch([...found.keys()].slice(0, 60).map((name) => `table/${name}`), { view(subject, doc) { found.set(doc.table, doc); draw(); } });
}

function returnCode() {
  const kept = keptReturn();
  return kept && kept.name === me ? h("details", { class: "panel" }, h("summary", {}, t("return_code")), h("p", {}, t("return_code_words")), h("p", { class: "figure" }, kept.code)) : null;
}

function offered(doc) {
  const mine = mySpots(doc);
  const first = doc.wagers.find((one) => one.required) ?? doc.wagers[0];
  const address = `/seat/${encodeURIComponent(doc.table)}`;
  const free = numbers(doc).filter((spot) => !doc.play.seats[spot]);
  return h("article", { class: "panel seat-table", key: doc.table },
    h("div", { class: "spread" }, h("h2", {}, gameName(doc.game)), h("span", { class: "tag" }, doc.table)),
    meters(doc),
    first ? h("p", {}, t("wager_from", { wager: first.label, minimum: dollars(first.minimum_cents), maximum: dollars(first.maximum_cents) })) : null,
    doc.stops.length ? h("p", { class: "bad" }, t("shut"), ": ", doc.stops[0]) : null,
    mine.length ? h("a", { class: "button main big", href: address }, h("span", { class: "decide-words" }, h("span", {}, t("back_to_seat")), h("small", {}, t("you_sit", { table: doc.table, spot: mine.join(", ") }))))
      : h("div", { class: "seat-pick", role: "group", "aria-label": t("free_spots") }, numbers(doc).map((spot) => h("button", {
        class: "button spot-button", type: "button", key: String(spot), disabled: !free.includes(spot), "aria-label": free.includes(spot) ? t("sit_here", { spot }) : `${t("spot_number", { spot })}: ${doc.play.seats[spot]}`, onclick: sit(doc.table, spot),
      }, spot, h("small", {}, doc.play.seats[spot] ?? t("free"))))),
    free.length || mine.length ? null : h("p", {}, t("full")),
    h("div", { class: "row" }, mine.length ? null : h("a", { class: "button quiet", href: address }, t("look_on")), h("a", { class: "button quiet", href: `/sign/${encodeURIComponent(doc.table)}` }, t("rules"))));
}

// ----------------------------------------------------------------------------------------------------------- playing

let doc = null;
let lost = false;
let spot = 0;
let place = "";
let typed = "";
let wrong = "";
let note = "";
let last = null;
let setup = { key: "", low: "", doubled: false, refused: "" };
let advice = { key: "", on: sessionStorage.getItem("advice") === "1", doc: null, error: "" };
let until = null;
let also = { key: "", spots: [] };
let game = null;
const shuffle = new Shuffle(table, me, (round) => pressing(() => checkRound(table, round, shuffle.notes(round)))(), () => draw());
const wagers = new Wagers(encodeURIComponent(table), () => doc, () => draw(), shuffle);

function betting() {
  return doc.play.stage === "betting";
}

/** The hand of a spot in this round. */
function handOf(number) {
  return doc.play.spots.find((one) => one.spot === number);
}

function inRound(number) {
  return handOf(number)?.player === me;
}

function offersOf(number) {
  return doc.actions.filter((one) => one.spot === number);
}

/** A new view of the table. */
function take(now) {
  const before = doc;
  doc = now;
  const mine = mySpots(doc);
  if (!mine.includes(spot) && !inRound(spot)) spot = mine[0] ?? 0;
  // A hand that waits for its player comes first.
  if (!offersOf(spot).length && doc.actions.length) spot = doc.actions[0].spot;
  if (before?.play.round !== doc.play.round || !doc.wagers.some((one) => one.wager === place)) place = (doc.wagers.find((one) => one.required) ?? doc.wagers[0])?.wager ?? "";
  shuffle.take(doc);
  if (before && before.play.round !== doc.play.round && before.play.spots.some((one) => one.player === me) && last?.round !== before.play.round) {
    last = { round: before.play.round, unknown: true };
  }
  if (before && before.play.stage === "betting" && !betting()) keepWagers();
  if (wagers.settle(betting())) note = t("too_late");
  if (!before || before.play.round !== doc.play.round) note = last?.voided ? note : "";
  const own = doc.totals.filter((one) => one.settled && inRound(one.spot));
  if (own.length) last = { ...last, round: doc.play.round, unknown: false, voided: "", totals: own, hands: own.map((one) => handOf(one.spot)), dealer: doc.play.dealer, dealer_hand: doc.play.dealer_hand, claims: ours(doc.progressive?.claims), wins: ours(doc.progressive?.wins), envy: ours(doc.progressive?.envy) };
  // The result stays until the player's next wager.
  if (last && last.round !== doc.play.round && (doc.play.spots.some((one) => one.player === me) || !betting())) last = null;
  const seconds = offersOf(spot)[0]?.seconds_left ?? null;
  until = seconds === null ? null : performance.now() + 1_000 * seconds;
  askMore();
  draw();
}

function ours(found) {
  return (found ?? []).filter((one) => inRound(one.spot));
}

function step(message) {
  for (const event of message.events) {
    if (event.type === "round_voided" && doc?.play.spots.some((one) => one.player === me)) {
      last = { round: message.round, voided: t("voided", { round: message.round, cause: event.cause }) };
    }
  }
}

function storage(number) {
  return `bets/${table}/${number}`;
}

/** What was bet is kept, to bet the same again. */
function keepWagers() {
  const known = doc.wagers.map((one) => one.wager);
  for (const hand of doc.play.spots.filter((one) => one.player === me)) {
    sessionStorage.setItem(storage(hand.spot), JSON.stringify(Object.fromEntries(Object.entries(hand.wagers).filter(([wager]) => known.includes(wager)))));
  }
}

function keptWagers() {
  return Object.entries(JSON.parse(sessionStorage.getItem(storage(spot)) ?? "{}")).filter(([wager]) => doc.wagers.some((one) => one.wager === wager));
}

/** What is asked of the API beside the view: advice, and whether a second spot could be played. */
function askMore() {
  const [offer] = offersOf(spot);
  const key = `${doc.play.round}/${spot}/${offer?.point ?? ""}`;
  const open = Boolean(offer);
  if (setup.key !== key) setup = { key, low: "", doubled: false, refused: "" };
  if (advice.on && doc.advice && open && advice.key !== key) askAdvice(key);
  const mine = mySpots(doc);
  const seats = `${mine}/${JSON.stringify(doc.play.seats)}`;
  if (mine.length === 1 && also.key !== seats) {
    also = { key: seats, spots: [] };
    for (const beside of numbers(doc).filter((one) => !doc.play.seats[one] && Math.abs(one - mine[0]) === 1)) {
      post(`${here}/try`, { type: "sit_down", order: { spot: beside, player: me } }).then((tried) => {
        if (tried.ok && also.key === seats) {
          also.spots.push(beside);
          draw();
        }
      }).catch(() => {});
    }
  } else if (mine.length !== 1) also = { key: "", spots: [] };
}

async function askAdvice(key) {
  advice = { ...advice, key, doc: null, error: "" };
  draw();
  try {
    const found = await get(`${here}/advice`, { spot });
    if (advice.key === key) advice.doc = found;
  } catch (error) {
    if (advice.key === key) advice.error = error.message;
  }
  draw();
}

function switchAdvice() {
  advice = { ...advice, on: !advice.on, key: "" };
  sessionStorage.setItem("advice", advice.on ? "1" : "");
  askMore();
  draw();
}

const act = (action) => pressing(async () => {
  await order(`${here}/act`, { spot, ...action });
})();

function changeSetting(state) {
  const mine = { ...setup, ...state, refused: "" };
  setup = mine;
  draw();
  if (!mine.low) return;
  const offer = offersOf(spot).find((one) => one.takes_card);
  if (!offer) return;
  const action = { action: offer.action, card: mine.low, cents: extra(offer, mine.doubled) };
  post(`${here}/try`, { type: "act", order: { spot, ...action } }).then((tried) => {
    if (setup === mine && !tried.ok) {
      setup.refused = tried.sentence;
      draw();
    }
  }).catch(complain);
}

function leave() {
  const go = pressing(async () => {
    await order(`${here}/stand-up`, { spot });
    if (mySpots(doc).length < 2) location.href = "/seat";
  });
  if (!inRound(spot) || betting()) return go();
  const dialog = h("dialog", { "aria-label": t("leave_title"), onclose: () => dialog.remove() }, h("h2", {}, t("leave_title")), h("p", {}, t("leave_words")),
    h("div", { class: "row" }, h("button", { class: "button danger big", type: "button", onclick: () => { dialog.close(); go(); } }, t("leave_anyway")), h("button", { class: "button big", type: "button", onclick: () => dialog.close() }, t("cancel"))));
  document.body.append(dialog);
  dialog.showModal();
}

// ------------------------------------------------------------------------------------------------------- what is seen

/** What the player is to know or do now. */
function prompt() {
  const stage = doc.play.stage;
  if (doc.play.malfunction) return t("malfunction");
  if (!spot) return t(betting() ? "prompt.sit" : "prompt.watching");
  if (betting()) return handOf(spot) ? t("prompt.bets_lie") : t("prompt.bet");
  if (!inRound(spot)) return t("prompt.not_in");
  if (stage === "locking in") return t("prompt.locking");
  if (stage === "dealing") return t("prompt.dealing");
  if (stage === "deciding") {
    if (offersOf(spot).length) return doc.play.street ? t("prompt.your_turn_on", { street: doc.play.street }) : t("prompt.your_turn");
    return t("prompt.waiting", { spots: doc.play.spots.filter((one) => one.deciding).map((one) => one.spot).join(", ") });
  }
  if (stage === "turning") return t("prompt.turning");
  if (stage === "collecting" || stage === "revealing") return t(`prompt.${stage}`);
  return t(stage === "reconciling" ? "prompt.paying" : "prompt.closing");
}

function head() {
  return h("section", { class: "seat-head" },
    h("div", { class: "seat-title" }, h("h1", {}, gameName(doc.game)), h("p", {}, `${doc.table} · ${t("round")} ${doc.play.round}`)),
    meters(doc),
    h("div", { class: "row seat-tools" },
      doc.advice && game?.flow.some((one) => one.kind === "decide") ? h("button", { class: "button", type: "button", role: "switch", "aria-checked": String(advice.on), onclick: switchAdvice }, t("advice.switch")) : null,
      h("a", { class: "button quiet", href: `/sign/${encodeURIComponent(table)}`, target: "_blank", rel: "noopener" }, t("rules")),
      spot && mySpots(doc).includes(spot) ? h("button", { class: "button", type: "button", onclick: leave }, mySpots(doc).length > 1 ? t("leave_spot", { spot }) : t("leave")) : h("a", { class: "button", href: "/seat" }, t("other_table"))));
}

function dealer() {
  const set = doc.play.on_display.find((one) => one.who === 0);
  return h("div", { class: "felt-dealer" }, h("h2", {}, t("dealer")), set ? highAndLow(set.high, set.low) : doc.play.dealer ? cards(doc.play.dealer, { "aria-label": t("dealers_cards") }) : h("span", { class: `felt-empty ${betting() ? "is-betting" : ""}`, "aria-hidden": "true" }), doc.play.dealer_hand ? h("p", {}, doc.play.dealer_hand) : null);
}

function other(number) {
  const hand = handOf(number);
  const player = hand?.player ?? doc.play.seats[number];
  const total = doc.totals.find((one) => one.spot === number);
  const mine = player === me;
  let below = null;
  if (hand?.outcome) below = h("span", { class: "felt-word" }, t(`outcome.${hand.outcome}`), hand.name ? `: ${hand.name}` : "");
  else if (hand?.actions.length || hand?.deciding) below = h("span", { class: `felt-word ${hand.deciding ? "is-turn" : ""}` }, [...hand.actions, ...(hand.deciding ? ["…"] : [])].join(" · "));
  else if (!player && !mySpots(doc).length) below = h("button", { class: "button", type: "button", "aria-label": t("sit_here", { spot: number }), onclick: sit(table, number) }, t("sit"));
  else if (!player && also.spots.includes(number)) below = h("button", { class: "button", type: "button", "aria-label": t("sit_here_too", { spot: number }), onclick: sit(table, number) }, t("sit_too"));
  else if (mine) below = h("button", { class: "button", type: "button", onclick: () => { spot = number; askMore(); draw(); } }, t("look_here", { spot: number }));
  if (!player && !below) return h("li", { class: "felt-spot is-empty", key: String(number) }, h("span", { class: "felt-number" }, number), h("span", { class: "unseen" }, t("free")));
  return h("li", { class: `felt-spot ${player ? "" : "is-free"} ${doc.progressive?.lit.includes(number) ? "is-lit" : ""}`, key: String(number) },
    h("span", { class: "felt-number" }, number), h("span", { class: "felt-player" }, player ?? t("free")),
    hand?.cards ? cards(hand.cards, { "aria-label": t("cards_of", { spot: number }) }) : null,
    total ? h("span", { class: "felt-stake" }, money(total.staked_cents)) : null, below);
}

/** A betting place of one's own spot. */
function wagerPlace(wager) {
  const amount = wagers.amount(spot, wager.wager);
  const line = doc.totals.find((one) => one.spot === spot)?.lines.find((one) => one.wager === wager.wager);
  if (wager.wager === "progressive") return lamp(wager, amount, line);
  const open = betting() && mySpots(doc).includes(spot);
  const needs = wager.needs && !wagers.amount(spot, wager.needs) ? labelOf(wager.needs) : "";
  const way = wagers.isOnItsWay(spot, wager.wager);
  const refused = wagers.refusal(spot, wager.wager);
  const limit = isFull(wager.wager) ? t("no_more_games") : wager.equals ? t("matches", { wager: labelOf(wager.equals) }) : needs ? t("needs", { wager: needs }) : t("limits", { minimum: face(wager.minimum_cents), maximum: face(wager.maximum_cents) });
  return h("div", { class: "place", key: wager.wager },
    h("button", {
      class: `place-circle ${wager.required ? "is-required" : ""} ${way ? "is-way" : ""} ${refused ? "is-refused" : ""} ${line ? `is-${line.result}` : ""}`, type: "button", disabled: !open || Boolean(needs) || Boolean(wager.equals) || isFull(wager.wager),
      "aria-pressed": open ? String(place === wager.wager) : null, onclick: () => { place = wager.wager; wrong = ""; typed = ""; draw(); },
    }, h("span", { class: "place-name" }, wager.label), amount ? pile(amount) : null, amount ? money(amount, { class: "place-amount" }) : null),
    line ? h("span", { class: `place-result is-${line.result}` }, t(`result.${line.result}`)) : betting() ? h("small", { class: `place-limit ${refused ? "place-refused" : ""}` }, way && !refused ? t("not_placed") : limit) : null);
}

/** FL-9: whether the hand carries as many games as it may, and not this one. */
function isFull(wager) {
  return !wagers.amount(spot, wager) && Boolean(doc.totals.find((one) => one.spot === spot)?.full.includes(wager));
}

/** What the layout calls a wager, one that a choice makes too. */
function labelOf(wager) {
  return game.wagers.find((one) => one.wager === wager)?.name ?? spoken(wager);
}

/** The progressive: a button that is lit, or not. */
function lamp(wager, amount, line) {
  const needs = wager.needs && !wagers.amount(spot, wager.needs);
  const open = betting() && mySpots(doc).includes(spot) && !lost && !(needs && !amount) && !isFull(wager.wager);
  const words = dollars(wager.minimum_cents);
  return h("div", { class: "place", key: wager.wager },
    h("button", { class: `place-lamp ${amount ? "is-lit" : ""}`, type: "button", disabled: !open, "aria-pressed": String(amount > 0), "aria-label": t(amount ? "unlight" : "light", { amount: words }), onclick: () => wagers.put(spot, wager.wager, amount ? 0 : wager.minimum_cents) },
      h("span", { class: "place-name" }, wager.label), h("span", { class: "lamp", "aria-hidden": "true" }), h("span", { class: "place-amount money" }, words)),
    line ? h("span", { class: `place-result is-${line.result}` }, t(`result.${line.result}`))
      : betting() ? h("small", { class: "place-limit" }, lost ? t("closed_lost") : isFull(wager.wager) ? t("no_more_games") : needs && !amount ? t("needs", { wager: labelOf(wager.needs) }) : t(amount ? "lit" : "dark")) : null);
}

/** The wagers that a decision made: they lie on the felt beside the others. */
function followed() {
  const hand = handOf(spot);
  if (!hand) return [];
  const total = doc.totals.find((one) => one.spot === spot);
  const shown = new Map(Object.entries(hand.wagers));
  for (const line of total?.lines ?? []) if (line.wagered_cents) shown.set(line.wager, line.wagered_cents);
  return [...shown].filter(([wager]) => !doc.wagers.some((one) => one.wager === wager)).map(([wager, cents]) => {
    const line = total?.lines.find((one) => one.wager === wager);
    return h("div", { class: "place", key: wager }, h("div", { class: `place-circle is-follow ${line ? `is-${line.result}` : ""}` }, h("span", { class: "place-name" }, line?.label ?? labelOf(wager)), pile(cents), money(cents, { class: "place-amount" })),
      line ? h("span", { class: `place-result is-${line.result}` }, t(`result.${line.result}`)) : null);
  });
}

function myPlace() {
  const hand = inRound(spot) ? handOf(spot) : null;
  return h("section", { class: "felt-mine", "aria-label": t("your_spot", { spot }) },
    h("h2", {}, t("your_spot", { spot }), h("span", { class: "felt-word" }, [hand?.name, hand?.outcome ? t(`outcome.${hand.outcome}`) : hand?.actions.join(" · ") ?? ""].filter(Boolean).map((words) => ` · ${words}`).join(""))),
    myCards(hand),
    h("div", { class: "places", role: "group", "aria-label": t("wagers") }, doc.wagers.filter((one) => betting() || wagers.amount(spot, one.wager)).map(wagerPlace), followed()),
    handOf(spot)?.envy_marker ? h("p", { class: "envy-marker" }, t("envy_marker")) : null);
}

function myCards(hand) {
  if (game?.player_cards === 0) return null;
  if (!hand?.cards) return h("span", { class: `felt-empty mine ${betting() ? "is-betting" : ""}`, "aria-hidden": "true" });
  if (hand.set_high) return highAndLow(hand.set_high, hand.set_low);
  return cards(hand.cards, { "aria-label": t("your_cards"), class: "cards my-cards" });
}

/** A hand as it was set. */
function highAndLow(high, low) {
  return h("div", { class: "felt-set" }, [[high, "setting.high"], [low, "setting.low_hand"]].map(([text, name]) => h("div", {}, h("small", {}, t(name)), cards(text, { "aria-label": t(name) }))));
}

function felt() {
  return h("section", { class: `seat-felt ${spot ? "" : "is-unseated"}`, "aria-label": t("table") },
    game?.dealer_cards === 0 ? null : dealer(),
    board(doc.play),
    doc.play.stacked.length ? h("p", { class: "demo-sign" }, t("stacked", { spots: doc.play.stacked.map((one) => (one ? t("stacked_spot", { spot: one }) : t("stacked_dealer"))).join(", ") })) : null,
    h("ol", { class: "felt-others" }, numbers(doc).filter((one) => one !== spot).map(other)),
    spot ? myPlace() : null,
    shoe(doc.play), roads(doc.play));
}

/** What can be done now. */
function action() {
  const own = mySpots(doc).includes(spot);
  const offers = offersOf(spot);
  const shown = last && (last.round !== doc.play.round || doc.play.stage === "reconciling" || doc.play.stage === "closing") ? [celebration(), result(!(betting() && own))] : [];
  const next = betting() && own;
  return h("section", { class: `seat-action panel ${offers.length ? "is-turn" : shown.length && !next ? "is-result" : ""}`, "aria-label": t("action") },
    h("div", { class: "seat-prompt", tabindex: -1 }, h("p", { role: "status", "aria-live": "polite" }, prompt()), until === null || !offers.length ? null : h("p", { class: "seat-timer", role: "timer", "data-own": "1" }, timeLeft())),
    note ? h("p", { class: "warn", role: "alert" }, note) : null,
    doc.play.commission[spot] ? h("p", { class: "seat-commission" }, t("commission_owed", { amount: dollars(doc.play.commission[spot]) })) : null,
    doc.stops.map((why) => h("p", { class: "bad" }, t("stops", { why }))),
    next ? [brief(), tray()] : null,
    shown,
    offers.length ? deciding(offers) : null,
    doc.demonstration && own && !doc.play.packets_out && !doc.play.shoe ? h("button", { class: "button demo-button", type: "button", onclick: () => chooseCards(table, spot, game) }, t("demo.open")) : null);
}

function timeLeft() {
  const seconds = Math.max(0, Math.ceil((until - performance.now()) / 1_000));
  return seconds ? t("time_left", { seconds }) : t("time_over");
}

function deciding(offers) {
  const hand = handOf(spot);
  const found = advice.on && advice.key === setup.key ? advice.doc : null;
  const first = doc.wagers.find((one) => one.required) ?? doc.wagers[0];
  const words = !advice.on || !doc.advice ? null : advice.error ? h("p", { class: "warn" }, t("advice.failed", { why: advice.error })) : h("p", { class: "advice-words", role: "status" }, found ? t("advice.words", { wager: first?.label ?? "" }) : t("advice.counting"));
  const settable = offers.some((one) => one.takes_card);
  return h("div", { class: "stack" }, settable ? setting(hand, offers, setup, found, setup.refused, labelOf, changeSetting, act) : choices(offers, found, labelOf, act), words);
}

function tray() {
  const wager = doc.wagers.find((one) => one.wager === place);
  const total = doc.totals.find((one) => one.spot === spot);
  const kept = keptWagers();
  if (!wager) return null;
  const amount = wagers.amount(spot, place);
  const blocked = Boolean(wager.needs && !wagers.amount(spot, wager.needs)) || wager.wager === "progressive" || Boolean(wager.equals);
  const input = h("input", { id: "amount", inputmode: "decimal", autocomplete: "off", disabled: blocked, value: "", oninput: (event) => { typed = event.target.value; } });
  return h("div", { class: "tray" },
    h("p", { class: "tray-words" }, blocked ? t("tap_wager") : h("strong", {}, t("bet_on", { wager: wager.label })), wager.advice_cents && !blocked ? h("small", {}, " ", t("recommended", { amount: dollars(wager.advice_cents) })) : null, wager.because.length && !blocked ? h("small", {}, " ", t("narrowed", { wagers: wager.because.map(labelOf).join(", ") })) : null),
    h("div", { class: "tray-chips", role: "group", "aria-label": t("tray") }, DENOMINATIONS.map((cents) => h("button", { class: "tray-chip", type: "button", key: String(cents), "aria-label": t("add", { amount: dollars(cents) }), disabled: blocked || amount + cents > wager.maximum_cents, onclick: () => { note = ""; wagers.put(spot, place, amount + cents); } }, chip(cents)))),
    h("form", { class: "tray-form", onsubmit: (event) => { event.preventDefault(); typeAmount(event.target); } },
      h("label", { for: "amount", class: "unseen" }, t("amount_label", { wager: wager.label })), input,
      h("button", { class: "button", type: "submit", disabled: blocked }, t("put")),
      h("button", { class: "button", type: "button", disabled: !amount || blocked, "aria-label": t("clear_one", { wager: wager.label }), onclick: () => wagers.put(spot, place, 0) }, "⌫")),
    wrong ? h("p", { class: "field-error", role: "alert" }, wrong) : null,
    doc.wagers.filter((one) => wagers.refusal(spot, one.wager)).map((one) => h("p", { class: "field-error", role: "alert", key: `refused${one.wager}` }, t("not_taken", { wager: one.label, why: wagers.refusal(spot, one.wager) }))),
    h("div", { class: "row tray-foot" },
      h("button", { class: "button", type: "button", disabled: !total, onclick: () => wagers.clear(spot) }, t("clear")),
      kept.length ? h("button", { class: "button", type: "button", onclick: repeat }, t("repeat")) : null,
      total ? h("span", { class: "tray-total" }, t("in_all"), " ", money(total.staked_cents)) : null),
    total?.lacks && !wagers.drafts.size ? h("p", { class: "warn", role: "status" }, t("lacks", { why: total.lacks })) : null);
}

function typeAmount(form) {
  const amount = amountOf(typed);
  wrong = Number.isNaN(amount) || amount < 0 ? t("no_amount") : "";
  if (!wrong) {
    typed = "";
    form.reset();
    wagers.put(spot, place, amount);
  }
  draw();
}

function repeat() {
  for (const [wager, cents] of keptWagers()) if (wager !== "progressive" || !lost) wagers.put(spot, wager, cents);
}

// ------------------------------------------------------------------------------------------------ what came of a round

function signed(cents) {
  return `${cents > 0 ? "+" : cents < 0 ? "−" : ""}${dollars(Math.abs(cents))}`;
}

/** A large figure, in a type that its place has room for. */
function figure(kind, amount) {
  return h("span", { class: `${kind} money ${wide(amount.length)}` }, amount);
}

/** The last round in a line, while the next one is bet on. */
function brief() {
  return (last?.totals ?? []).map((total) => h("p", { class: `brief ${total.net_cents > 0 ? "is-win" : total.net_cents < 0 ? "is-lose" : ""}`, key: `brief${total.spot}` },
    h("span", {}, t("result_title", { round: last.round }), last.totals.length > 1 ? ` · ${t("spot_number", { spot: total.spot })}` : ""), h("span", { class: "brief-figure money" }, signed(total.net_cents))));
}

function result(whole) {
  const over = last.round !== doc.play.round;
  const checking = over ? h("button", { class: "button", type: "button", onclick: () => shuffle.check(last.round) }, last.unknown ? t("what_happened", { round: last.round }) : h("span", { class: "decide-words" }, h("span", {}, t("check_round")), h("small", {}, t("result_title", { round: last.round })))) : null;
  if (last.voided) return h("div", { class: "result" }, h("p", { class: "warn" }, last.voided), checking);
  if (last.unknown) return h("div", { class: "result" }, h("p", {}, t("result_unknown", { round: last.round })), checking);
  return h("div", { class: "result" }, last.totals.map((total) => h("div", { class: `result-spot ${total.net_cents > 0 ? "is-win" : total.net_cents < 0 ? "is-lose" : ""}`, key: String(total.spot) },
    whole ? h("div", { class: "result-net", role: "status" }, h("span", {}, t(total.net_cents > 0 ? "won_round" : total.net_cents < 0 ? "lost_round" : "even_round"), h("small", {}, ` ${t("result_title", { round: last.round })}${last.totals.length > 1 ? ` · ${t("spot_number", { spot: total.spot })}` : ""}`)), figure("result-figure", signed(total.net_cents))) : null,
    h("table", { class: "result-lines" }, h("thead", { class: "unseen" }, h("tr", {}, h("th", { scope: "col" }, t("wager_column")), h("th", { scope: "col" }, t("bet_column")), h("th", { scope: "col" }, t("net")))),
      h("tbody", {}, total.lines.map((line) => h("tr", { key: line.wager, class: `is-${line.result}` }, h("th", { scope: "row" }, line.label, line.why ? h("small", {}, line.why) : null), h("td", { class: "money" }, line.wagered_cents ? dollars(line.wagered_cents) : ""), h("td", { class: "money result-line-net" }, line.result === "waiting" ? t("waits") : signed(line.net_cents)))))))), checking);
}

/** PR-18: a progressive win of one's own, from the claim to the confirmation, and envy. */
function celebration() {
  if (!last || last.unknown || last.voided) return null;
  const claims = last.claims ?? [];
  const shown = [
    ...claims.map((one) => h("div", { key: `claim${one.spot}` }, h("p", { class: "win-hand" }, t("win.hand", { hand: spoken(one.hand), spot: one.spot })), h("p", {}, figure("win-amount", dollars(one.due_cents))), h("p", {}, t("win.waiting"), one.turn > 1 ? ` ${t("win.turn", { turn: one.turn })}` : ""))),
    ...(last.wins ?? []).map((one) => h("div", { key: `win${one.spot}` }, h("p", { class: "win-hand" }, t("win.hand", { hand: spoken(one.hand), spot: one.spot })), h("p", {}, figure("win-amount", dollars(one.cents))), h("p", {}, t("win.confirmed")))),
    ...(last.envy ?? []).map((one) => h("p", { key: `envy${one.spot}${one.winner}` }, t("win.envy", { winner: one.winner, amount: dollars(one.cents) }))),
  ];
  if (!shown.length) return null;
  return h("div", { class: `celebration ${claims.length ? "is-waiting" : ""}`, role: "status", "aria-live": "assertive" }, h("p", { class: "win-title" }, t("win.title")), shown);
}

function draw() {
  if (!doc) return;
  const acting = document.activeElement?.closest(".seat-action");
  main(head(), h("div", { class: "seat-room" },
    felt(), action(), shuffle.view(spot, mySpots(doc).includes(spot), mySpots(doc).length > 1)));
  // What had the focus may be gone: who uses the keyboard goes on from here.
  if (acting && document.activeElement === document.body) acting.querySelector(".seat-prompt")?.focus({ preventScroll: true });
}

async function play() {
  try {
    doc = null;
    const first = await get(here);
    if (first.kind !== "virtual") throw new Refused({ detail: t("no_table") }, 404);
    game = await get(`games/${encodeURIComponent(first.game)}`);
    take(first);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", { class: "bad" }, error.message), h("a", { class: "button", href: "/seat" }, t("other_table"))));
    return;
  }
  watch([`table/${table}`], {
    view: (subject, now) => take(now),
    step: (subject, message) => step(message),
    lost() { lost = true; draw(); },
    back() { lost = false; draw(); },
  });
  setInterval(() => {
    const place = document.querySelector(".seat-timer");
    if (place && until !== null) place.textContent = timeLeft();
  }, 500);
}

if (data.who.kind !== "player") door();
else if (table) play().catch(complain);
else choose().catch((error) => {
  main(h("section", { class: "notice" }, h("h1", {}, t("title")), h("p", { class: "bad" }, t("tables_failed"))));
  complain(error);
});
