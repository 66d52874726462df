// The deck of a round, computed anew: the procedure "houseway deck 2", and the older "houseway deck 1" (docs/deck.md).
//
// Nothing here asks a server, and nothing is taken from the browser but TextEncoder: crypto.subtle is missing over plain
// HTTP, and this very file is the inside of the stand-alone checker, which is opened from a disk.

export const PROCEDURE = "houseway deck 2";
export const FIRST_PROCEDURE = "houseway deck 1";
const SEED = "houseway seed 2";
const DEALER = 0;
const EMPTY = -1;
const BOARD = -2;
const LONGEST_PART = 128;
const USUAL_POSITIONS = 7;

// ------------------------------------------------------------------------------------------------ SHA-256 and HMAC

const BLOCK = 64;
// FIPS 180-4, 5.3.3 and 4.2.2.
const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
const ROUNDS = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** SHA-256 of bytes, as bytes. */
export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length << 3) >>> 0);
  const state = Uint32Array.from(INITIAL);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let place = 0; place < 16; place += 1) words[place] = view.getUint32(at + 4 * place);
    for (let place = 16; place < 64; place += 1) {
      const [early, late] = [words[place - 15], words[place - 2]];
      words[place] = words[place - 16] + (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) + words[place - 7] + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
    }
    let [a, b, c, d, e, f, g, last] = state;
    for (let place = 0; place < 64; place += 1) {
      const one = (last + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[place] + words[place]) >>> 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [a, b, c, d, e, f, g, last] = [(one + two) >>> 0, a, b, c, (d + one) >>> 0, e, f, g];
    }
    [a, b, c, d, e, f, g, last].forEach((word, place) => { state[place] += word; });
  }
  const digest = new Uint8Array(32);
  state.forEach((word, place) => new DataView(digest.buffer).setUint32(4 * place, word));
  return digest;
}

/** HMAC-SHA256 of bytes, as bytes. */
export function hmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message));
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
}

function joined(one, other) {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

export function bytesOf(text) {
  return new TextEncoder().encode(text);
}

export function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

// ------------------------------------------------------------------------------------------------- the procedure

/** A deck before it is shuffled: clubs, diamonds, hearts, spades, each from the deuce to the ace; then the joker. */
export function newDeck(cards) {
  const plain = [..."cdhs"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
  if (cards === plain.length + 1) return [...plain, "Jk"];
  // A shoe: several decks, one after the other.
  return Array(Math.max(1, Math.floor(cards / plain.length))).fill(plain).flat();
}

/** The text that the commitment is the SHA-256 of. */
export function seedText(table, round, seed) {
  return `${SEED}\n${table}\n${round}\n${seed}\n`;
}

/** The text that goes into the key beside the house's seed: everybody's part, by spot. */
export function partsText(table, round, parts) {
  const lines = Object.keys(parts).map(Number).sort((one, other) => one - other).map((spot) => `${spot} ${parts[spot]}\n`);
  return `${PROCEDURE}\n${table}\n${round}\n${lines.join("")}`;
}

/** Whole numbers below a bound, each equally likely, out of HMAC-SHA256 of a counter. */
export class Stream {
  constructor(key) {
    this.key = key;
    this.counter = 0;
    this.bytes = [];
  }

  byte() {
    if (!this.bytes.length) {
      const counted = new Uint8Array(8);
      new DataView(counted.buffer).setUint32(4, this.counter);
      this.counter += 1;
      this.bytes = [...hmac(this.key, counted)];
    }
    return this.bytes.shift();
  }

  /** From 0 to `stop` - 1; a number that would favour some is skipped. */
  randrange(stop) {
    const all = stop > 256 ? 65_536 : 256;
    for (;;) {
      const drawn = all > 256 ? 256 * this.byte() + this.byte() : this.byte();
      if (drawn < all - all % stop) return drawn % stop;
    }
  }
}

/** Fisher and Yates. */
export function shuffled(deck, stream) {
  const order = [...deck];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const chosen = stream.randrange(last + 1);
    [order[last], order[chosen]] = [order[chosen], order[last]];
  }
  return order;
}

/** The deck and the start position that follow from everybody's parts. */
export function dealtFrom({ table, round, seed, player_seeds: parts, cards, positions }) {
  const key = hmac(fromHex(seed), bytesOf(partsText(table, round, parts)));
  const stream = new Stream(key);
  const order = shuffled(newDeck(cards), stream);
  return { key: hex(key), order: order.join(" "), start: positions ? stream.randrange(positions) + 1 : 0 };
}

/**
 * Whom the packets go to, in order, of all who got one: the spots in rising order, the dealer and the board; or
 * counter-clockwise from a position.
 */
export function targets(dealt, start, positions, dealerPosition) {
  const spots = dealt.filter((target) => target > 0);
  if (!positions) return [...spots.sort((one, other) => one - other), ...[DEALER, BOARD].filter((target) => dealt.includes(target))];
  return Array.from({ length: positions }, (_, turn) => {
    const position = (start - 1 + turn) % positions + 1;
    const spot = positions - (position - dealerPosition + positions) % positions;
    return position === dealerPosition ? DEALER : spots.includes(spot) ? spot : EMPTY;
  });
}

// ----------------------------------------------------------------------------------------------------- the record

/** What is wrong with a player's part; nothing where it may be used. */
export function partDefect(text) {
  if (typeof text !== "string" || !text) return "empty";
  if (text.length > LONGEST_PART) return "long";
  if (!/^[ -~]+$/.test(text)) return "letters";
  return text.trim() === text ? "" : "spaces";
}

/** New random bytes as a player's part. */
export function randomPart() {
  return hex(crypto.getRandomValues(new Uint8Array(32)));
}

/** A round as the API gives it, and what this browser noted while it was played, as the record that is checked and saved. */
export function recordOf(doc, seen = null) {
  const steps = (type) => doc.steps.filter((step) => step.type === type);
  const [committed] = steps("deck_committed");
  const opened = steps("deck_opened").find((step) => step.nonce);
  const deck = doc.deck ?? {};
  const start = committed?.start ?? deck.start ?? 0;
  return {
    procedure: committed ? FIRST_PROCEDURE : PROCEDURE,
    table: doc.table,
    round: doc.round,
    game: doc.game,
    cards: deck.cards ?? 0,
    commitment: committed?.commitment ?? deck.commitment ?? "",
    seed: deck.seed ?? "",
    player_seeds: deck.player_seeds ?? {},
    nonce: opened?.nonce ?? "",
    order: opened?.order ?? deck.order ?? "",
    start,
    positions: deck.positions ?? doc.options.positions ?? (start ? USUAL_POSITIONS : 0),
    dealer_position: doc.options.dealer_position ?? 1,
    dealt: steps("packet_dealt").map((step) => ({ target: step.target, cards: step.cards })),
    chosen: deck.stacked ?? false,
    voided: doc.voided,
    seen,
  };
}

const HEX_64 = /^[0-9a-f]{64}$/;

/** Which field of a record cannot be read; nothing where all can. */
function unreadable(record) {
  if (typeof record !== "object" || !record) return "record";
  if (record.procedure !== PROCEDURE && record.procedure !== FIRST_PROCEDURE) return "procedure";
  if (typeof record.table !== "string" || !/^[^\n]+$/.test(record.table)) return "table";
  if (!Number.isSafeInteger(record.round) || record.round < 1) return "round";
  if (!HEX_64.test(record.commitment)) return "commitment";
  if (!HEX_64.test(record.procedure === PROCEDURE ? record.seed : record.nonce)) return record.procedure === PROCEDURE ? "seed" : "nonce";
  if (typeof record.player_seeds !== "object" || !record.player_seeds) return "player_seeds";
  if (Object.entries(record.player_seeds).some(([spot, text]) => !/^[1-9]\d*$/.test(spot) || partDefect(text))) return "player_seeds";
  if (typeof record.order !== "string" || ![0, 52, 53].includes(split(record.order).length)) return "order";
  if (![record.start, record.positions, record.dealer_position].every((one) => Number.isSafeInteger(one) && one >= 0 && one <= 65_536)) return "positions";
  if (!Array.isArray(record.dealt) || record.dealt.some((one) => !Number.isSafeInteger(one?.target) || typeof one.cards !== "string")) return "dealt";
  return "";
}

function split(text) {
  return text.split(" ").filter(Boolean);
}

const sameCards = (one, other) => split(one).sort().join(" ") === split(other).sort().join(" ");

/**
 * Check a round. Each of the `steps` has a name, a state (`good`, `bad`, or `unknown` where there is nothing to compare
 * with), a `case` that says which words fit, values for these words, and `facts`: what was computed from what.
 * `good` is true where no step is bad; `why` names the first step that is.
 */
export function verifyRound(record) {
  const field = unreadable(record);
  if (field) return { good: false, why: "record", steps: [{ name: "record", state: "bad", case: "bad", values: { field }, facts: [] }] };
  const steps = [...promised(record), ...parts(record), ...(record.procedure === PROCEDURE ? deck(record) : firstDeck(record)), ...packets(record)];
  const bad = steps.find((step) => step.state === "bad");
  return { good: !bad, why: bad?.name ?? "", steps };
}

function step(name, state, values = {}, facts = [], words = state) {
  return { name, state, case: words, values, facts };
}

/** A round that was voided before its first card had no deck; its secret is opened all the same. */
function neverDealt(record) {
  return Boolean(record.voided) && !record.order;
}

/** The house's part: it is the one that was locked, and the one that this page was shown. */
function* promised(record) {
  const text = record.procedure === PROCEDURE ? seedText(record.table, record.round, record.seed) : `${FIRST_PROCEDURE}\n${record.order}\n${record.start}\n${record.nonce}\n`;
  const found = hex(sha256(bytesOf(text)));
  yield step("commitment", found === record.commitment ? "good" : "bad", {}, [["commitment", record.commitment], ["text", text], ["found", found]]);
  const seen = record.seen;
  if (!seen?.commitment) yield step("seen", "unknown");
  else {
    const facts = [["seen", seen.commitment], ["commitment", record.commitment]];
    if (seen.changed) yield step("seen", "bad", {}, [...facts, ["changed", seen.changed]], "changed");
    else if (seen.commitment !== record.commitment) yield step("seen", "bad", {}, facts);
    else yield step("seen", seen.late ? "unknown" : "good", {}, facts, seen.late ? "late" : "good");
  }
}

/** The players' parts: one's own is there, unchanged. */
function* parts(record) {
  // A player who took the wager back is not in the round, and neither is that part.
  const dealt = [...record.dealt.map((one) => String(one.target)), ...Object.keys(record.seen?.cards ?? {})];
  const own = neverDealt(record) ? [] : Object.entries(record.seen?.player_seeds ?? {}).filter(([spot]) => !dealt.length || dealt.includes(spot));
  // The older procedure had no players' parts; a page that sent one was not playing by it.
  if (!own.length && record.procedure === PROCEDURE) yield step("parts", "unknown");
  for (const [spot, text] of own) {
    const used = record.player_seeds[spot] ?? "";
    yield step("parts", used === text ? "good" : "bad", { spot }, [["sent", text], ["used", used]]);
  }
}

/** The deck follows from all parts. */
function* deck(record) {
  const cards = split(record.order).length || record.cards || newDeck(0).length;
  const found = dealtFrom({ ...record, cards });
  const facts = [["parts", partsText(record.table, record.round, record.player_seeds)], ["key", found.key], ["order", found.order]];
  if (record.positions) facts.push(["start", String(found.start)]);
  if (neverDealt(record)) yield step("deck", "unknown", {}, [], "none");
  else if (record.chosen) yield step("deck", "bad", {}, facts, "chosen");
  else if (!record.order) yield step("deck", "unknown", {}, facts);
  else {
    const same = found.order === record.order && found.start === record.start;
    yield step("deck", same ? "good" : "bad", {}, same ? facts : [...facts, ["given", `${record.order}${record.positions ? `\n${record.start}` : ""}`]]);
  }
}

/** The older procedure: the house alone shuffled, and the commitment was to the order itself. */
function* firstDeck(record) {
  const whole = sameCards(record.order, newDeck(split(record.order).length).join(" "));
  yield step("deck", whole ? "good" : "bad", {}, [["order", record.order]], whole ? "first" : "bad");
}

/** The packets were dealt off the top of the deck, to whom they belong; and one's cards are the ones that this page saw. */
function* packets(record) {
  const seen = Object.entries(record.seen?.cards ?? {});
  if (!record.dealt.length || !record.order) {
    yield step("dealt", "unknown");
    return;
  }
  const whom = targets(record.dealt.map((one) => one.target), record.start || 1, record.positions, record.dealer_position);
  const left = split(record.order);
  const due = new Map();
  let good = record.dealt.length <= whom.length;
  record.dealt.forEach((one, place) => {
    const packet = left.splice(0, split(one.cards).length).join(" ");
    due.set(whom[place], packet);
    good &&= packet === one.cards && whom[place] === one.target;
  });
  yield step("dealt", good ? "good" : "bad", {}, record.dealt.filter((one) => one.target !== EMPTY).map((one) => [one.target > 0 ? "spot" : one.target === BOARD ? "board" : "dealer", one.cards, { spot: one.target }]));
  for (const [spot, cards] of seen) {
    yield step("cards", sameCards(cards, due.get(Number(spot)) ?? "") ? "good" : "bad", { spot }, [["saw", cards], ["due", due.get(Number(spot)) ?? ""]]);
  }
}
