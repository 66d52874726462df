// A meter that counts up smoothly to the true value and never past it. Pure: amounts in cents and times in, amount out.

/** How long a rise takes to be shown, in milliseconds: less than the second in which a change must be seen. */
export const RISE = 350;

/** One amount as it stands on a display. Whole cents always. */
export class Rolling {
  #rises = [];

  constructor(cents) {
    this.shown = cents;
    this.truth = cents;
  }

  /** Whether it has still to move. */
  get rising() {
    return this.shown !== this.truth;
  }

  /**
   * The Game Manager said, at this time, what it is. A fall (won, reseeded, adjusted) is shown at once: an old, higher
   * amount never stands as current. Of several rises each ends in its own time, however many follow it.
   */
  aim(truth, now) {
    this.at(now);
    if (truth <= this.shown) {
      this.shown = truth;
      this.#rises = [];
    } else if (truth !== this.truth) {
      this.#rises.push({ from: this.shown, to: truth, since: now });
    }
    this.truth = truth;
  }

  /** What stands there at this time. */
  at(now) {
    for (const { from, to, since } of this.#rises) {
      const part = Math.floor(((to - from) * Math.min(RISE, Math.max(0, now - since))) / RISE);
      this.shown = Math.min(this.truth, Math.max(this.shown, from + part));
    }
    this.#rises = this.#rises.filter(({ since }) => now - since < RISE);
    return this.shown;
  }
}
