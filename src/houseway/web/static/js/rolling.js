// A meter that counts up smoothly to the true value and never past it. Pure: amounts in cents and time in, amount out.

/** How long a rise takes to be shown, in milliseconds. */
export const RISE = 900;

/**
 * What to show next. `shown` is what stands there, `truth` what the Game Manager said, `elapsed` milliseconds since the
 * last time. A fall (won, reseeded, adjusted) is shown at once: an old, higher amount is never shown as current.
 */
export function next(shown, truth, elapsed) {
  if (!Number.isFinite(shown) || shown > truth) return truth;
  const left = truth - shown;
  if (left === 0 || elapsed >= RISE) return truth;
  return Math.min(truth, shown + Math.max(1, Math.floor((left * Math.max(0, elapsed) * 3) / RISE)));
}
