// The player's side of the shuffle (TR-11): the part that goes with the first wager, and notes of what this page was
// shown before it. Nobody can change any of it later unseen: the notes are in this browser.

import { h } from "./dom.js";
import { partDefect, randomPart } from "./fair.js";
import { t } from "./page.js";

const MOST_NOTES = 20;

export class Shuffle {
  /** `check(round)` opens the check of a round, `changed()` is told when something is to be drawn anew. */
  constructor(table, me, check, changed) {
    this.prefix = `shuffle/${me}/${table}/`;
    this.me = me;
    this.check = check;
    this.changed = changed;
    this.doc = null;
    this.parts = new Map();
    this.wrong = "";
  }

  // ------------------------------------------------------------------------------------------------------ the notes

  /** What this page saw of a round; null where it was not there. */
  notes(round) {
    return JSON.parse(sessionStorage.getItem(`${this.prefix}${round}`) ?? "null");
  }

  keep(round, notes) {
    sessionStorage.setItem(`${this.prefix}${round}`, JSON.stringify(notes));
    for (const old of this.rounds().slice(MOST_NOTES)) sessionStorage.removeItem(`${this.prefix}${old}`);
  }

  /** The rounds with notes, newest first. */
  rounds() {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(this.prefix)).map((key) => Number(key.slice(this.prefix.length))).sort((one, other) => other - one);
  }

  /** A new view of the table: what is seen for the first time is noted, what has changed since is noted too. */
  take(doc) {
    this.doc = doc;
    const commitment = doc.play.deck?.commitment;
    if (!commitment) return;
    const mine = doc.play.spots.filter((one) => one.player === this.me);
    const notes = this.notes(doc.play.round) ?? { commitment, late: mine.length > 0, changed: "", player_seeds: {}, given: [], cards: {} };
    if (commitment !== notes.commitment) notes.changed ||= commitment;
    // A hand that is set or played shows fewer cards later.
    for (const hand of mine) if (hand.cards && !hand.cards.includes("??")) notes.cards[hand.spot] ??= hand.cards;
    this.keep(doc.play.round, notes);
  }

  // ------------------------------------------------------------------------------------------------- one's own part

  key(spot) {
    return `${this.doc.play.round}/${spot}`;
  }

  /** The part of a spot in this round: what lies at the table, what was sent, or what will be. */
  part(spot) {
    if (!this.parts.has(this.key(spot))) this.parts.set(this.key(spot), this.notes(this.doc.play.round)?.player_seeds[spot] ?? randomPart());
    return this.parts.get(this.key(spot));
  }

  /** Whether the part of a spot is with the Game Manager: then it stands for the round. */
  stands(spot) {
    return spot in (this.doc.play.deck?.player_seeds ?? {}) || (this.notes(this.doc.play.round)?.given.includes(spot) ?? false);
  }

  /** What goes with the next wager of a spot. It is noted first: then no answer that is lost can hide a change. */
  toSend(spot) {
    if (!this.doc.play.deck?.commitment || this.stands(spot)) return "";
    const notes = this.notes(this.doc.play.round);
    notes.player_seeds[spot] = this.part(spot);
    this.keep(this.doc.play.round, notes);
    return this.part(spot);
  }

  sent(spot) {
    const notes = this.notes(this.doc.play.round);
    if (notes?.player_seeds[spot]) this.keep(this.doc.play.round, { ...notes, given: [...notes.given, spot] });
  }

  use(spot, text) {
    const defect = text === null ? "" : partDefect(text);
    this.wrong = defect && t(`shuffle.defect.${defect}`);
    if (!defect) this.parts.set(this.key(spot), text ?? randomPart());
    this.changed();
  }

  // -------------------------------------------------------------------------------------------------- what is seen

  /** What the house has changed in this round after this page was shown it, in words; nothing where all is as it was. */
  alarms() {
    const notes = this.notes(this.doc.play.round);
    if (!notes) return [];
    const shown = this.doc.play.deck?.player_seeds ?? {};
    const altered = Object.keys(notes.player_seeds).filter((spot) => spot in shown && shown[spot] !== notes.player_seeds[spot]);
    return [...(notes.changed ? [t("shuffle.alarm_lock")] : []), ...altered.map((spot) => t("shuffle.alarm_part", { spot }))];
  }

  /** One quiet line, which opens. */
  view(spot, seated, two) {
    const { deck } = this.doc.play;
    if (!deck?.commitment) return null;
    const betting = this.doc.play.stage === "betting";
    const parts = Object.entries(deck.player_seeds);
    const stands = seated && this.stands(spot);
    const alone = !betting && !parts.length;
    const line = alone ? "line_alone" : stands ? "line_mine" : betting && seated ? "line_open" : "line_locked";
    const own = this.doc.play.spots.filter((one) => one.player === this.me).map((one) => String(one.spot));
    const alarms = this.alarms();
    const earlier = this.rounds().filter((round) => round < this.doc.play.round && Object.keys(this.notes(round).cards).length).slice(0, 3);
    return h("section", { class: "shuffle", key: "shuffle", "aria-label": t("shuffle.title") },
      alarms.map((words) => h("p", { class: "shuffle-alarm", role: "alert", key: words }, words)),
      h("details", { key: "shuffle-details" }, h("summary", {}, t(`shuffle.${line}`)), h("div", { class: "stack" },
        h("p", {}, t("shuffle.words")),
        h("div", { class: "shuffle-part" }, h("h3", {}, t("shuffle.house")), h("code", { class: "shuffle-lock" }, deck.commitment), h("small", {}, t("shuffle.house_words"))),
        seated && (betting || stands) && !(spot in deck.player_seeds) ? this.own(spot, stands, two) : null,
        parts.length ? h("div", { class: "shuffle-part" }, h("h3", {}, t("shuffle.all")), h("dl", { class: "verdict-facts" }, parts.map(([number, text]) => [h("dt", {}, t(own.includes(number) ? "shuffle.spot_mine" : "spot_number", { spot: number })), h("dd", {}, h("code", {}, text))]))) : null,
        deck.house_only?.length ? h("p", {}, t("shuffle.house_only", { spots: deck.house_only.join(", ") })) : null,
        h("div", { class: "row" }, earlier.map((round) => h("button", { class: "button quiet", type: "button", key: `check${round}`, onclick: () => this.check(round) }, t("shuffle.check", { round }))),
          h("a", { class: "button quiet", href: "/check", download: "houseway-check.html" }, t("check.save_checker"))))));
  }

  own(spot, stands, two) {
    return h("div", { class: "shuffle-part", key: `own${spot}` },
      h("h3", {}, two ? t("shuffle.mine_spot", { spot }) : t("shuffle.mine")), h("code", { class: "shuffle-mine" }, this.part(spot)),
      h("small", {}, t(stands ? "shuffle.mine_stands" : "shuffle.mine_words")),
      stands ? null : h("button", { class: "button", type: "button", "aria-label": t("shuffle.new_words"), onclick: () => this.use(spot, null) }, t("shuffle.new")),
      stands ? null : h("form", { class: "shuffle-form", onsubmit: (event) => { event.preventDefault(); this.use(spot, event.target.elements.part.value); } },
        h("label", { for: "own-part" }, t("shuffle.type")), h("input", { id: "own-part", name: "part", maxlength: 128, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": this.wrong ? "own-part-wrong" : null }),
        h("button", { class: "button", type: "submit" }, t("shuffle.use"))),
      stands || !this.wrong ? null : h("p", { class: "field-error", role: "alert", id: "own-part-wrong" }, this.wrong));
  }
}
