// Chips: drawn here, and the wagers that are made of them. What is put down is sent to the Game Manager a moment later.

import { order, post } from "./api.js";
import { h } from "./dom.js";
import { dollars } from "./money.js";

/** The chips of the tray, in cents. */
export const DENOMINATIONS = [100, 500, 2_500, 10_000, 50_000];
const SEND_AFTER = 300;
const HIGHEST_PILE = 7;

/** What stands on a chip: $5, $25. */
export function face(cents) {
  return dollars(cents).replace(/\D00$/, "");
}

/** One chip, seen from above. */
export function chip(cents) {
  return h("svg", { viewBox: "0 0 64 64", class: `chip chip-${cents}`, "aria-hidden": "true" },
    h("circle", { cx: 32, cy: 32, r: 31, class: "chip-body" }),
    h("circle", { cx: 32, cy: 32, r: 27, class: "chip-edge", "stroke-dasharray": "14.1 14.17" }),
    h("circle", { cx: 32, cy: 32, r: 21, class: "chip-ring" }),
    h("text", { x: 32, y: 37.5, "text-anchor": "middle", class: "chip-face" }, face(cents)));
}

/** An amount as a pile of chips, seen from the side. */
export function pile(cents) {
  const found = [];
  let left = cents;
  for (const one of [...DENOMINATIONS].reverse()) {
    while (left >= one && found.length < HIGHEST_PILE) {
      found.push(one);
      left -= one;
    }
  }
  if (!found.length) found.push(DENOMINATIONS[0]);
  const top = 8 * (found.length - 1);
  return h("svg", { viewBox: `0 0 60 ${34 + top}`, class: "pile", "aria-hidden": "true" }, found.map((one, place) => {
    const y = 14 + top - 8 * place;
    return h("g", { class: `chip-${one}` },
      h("path", { d: `M2 ${y}v7a28 12 0 0 0 56 0v-7z`, class: "chip-body" }),
      h("ellipse", { cx: 30, cy: y, rx: 28, ry: 12, class: "chip-body" }),
      h("ellipse", { cx: 30, cy: y, rx: 23, ry: 9.3, class: "chip-edge", "stroke-dasharray": "9 9" }));
  }));
}

/**
 * The wagers of one's spots before the deal: what lies there, and what was put down and is on its way. `table()` is the
 * table as it was last seen, `changed()` is told whenever something is to be drawn anew. `shuffle` gives the player's part
 * of the shuffle, which goes with the first wager.
 */
export class Wagers {
  constructor(name, table, changed, shuffle) {
    this.name = name;
    this.table = table;
    this.changed = changed;
    this.shuffle = shuffle;
    this.drafts = new Map();
    this.waiting = 0;
    this.sending = false;
  }

  /** What lies on a place of a spot, in cents. */
  placed(spot, wager) {
    return this.table().play.spots.find((one) => one.spot === spot)?.wagers[wager] ?? 0;
  }

  /** What the player sees there: what lies there, or what was just put down. */
  amount(spot, wager) {
    return this.drafts.get(`${spot}/${wager}`)?.cents ?? this.placed(spot, wager);
  }

  /** Why an amount was not accepted. */
  refusal(spot, wager) {
    return this.drafts.get(`${spot}/${wager}`)?.sentence ?? "";
  }

  /** Whether an amount is not yet with the Game Manager. */
  isOnItsWay(spot, wager) {
    return this.drafts.has(`${spot}/${wager}`);
  }

  /** Put so much on a place, in place of what is there; what must match it, follows, and what needs it goes with it. */
  put(spot, wager, cents) {
    this.drafts.set(`${spot}/${wager}`, { spot, wager, cents });
    for (const other of this.table().wagers) {
      if (other.equals === wager) this.drafts.set(`${spot}/${other.wager}`, { spot, wager: other.wager, cents });
      else if (!cents && other.needs === wager && this.amount(spot, other.wager)) this.drafts.set(`${spot}/${other.wager}`, { spot, wager: other.wager, cents: 0 });
    }
    this.changed();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.send(), SEND_AFTER);
  }

  clear(spot) {
    for (const { wager } of [...this.table().wagers].reverse()) if (this.amount(spot, wager)) this.put(spot, wager, 0);
  }

  /** Drop what the table has seen, or came too late. Answers whether something came too late. */
  settle(betting) {
    const doc = this.table();
    let late = false;
    for (const [key, draft] of this.drafts) {
      const lies = this.placed(draft.spot, draft.wager) === draft.cents;
      if (draft.entry ? doc.entry >= draft.entry : lies && !draft.sentence) this.drafts.delete(key);
      else if (!betting) {
        late ||= !lies;
        this.drafts.delete(key);
      }
    }
    return late;
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    try {
      for (let draft = this.next(); draft; draft = this.next()) await this.sendOne(draft);
    } finally {
      this.sending = false;
      this.changed();
    }
  }

  /** What is taken back goes first, and among the others what others need. */
  next() {
    const places = this.table().wagers.map((one) => one.wager);
    const waiting = [...this.drafts.values()].filter((draft) => !draft.entry && !draft.sentence);
    waiting.sort((one, other) => Boolean(one.cents) - Boolean(other.cents) || (one.cents ? 1 : -1) * (places.indexOf(one.wager) - places.indexOf(other.wager)));
    return waiting[0];
  }

  async sendOne(draft) {
    const { spot, wager, cents } = draft;
    const part = cents ? this.shuffle.toSend(spot) : "";
    const body = { spot, wager, cents, ...(part ? { player_seed: part } : {}) };
    try {
      const tried = await post(`tables/${this.name}/try`, { type: "bet", order: body });
      if (!tried.ok) draft.sentence = tried.sentence;
      else {
        draft.entry = (await order(`tables/${this.name}/bet`, body)).entry;
        if (part) this.shuffle.sent(spot);
      }
    } catch (error) {
      draft.sentence = error.message;
    }
    this.changed();
  }
}
