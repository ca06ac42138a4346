const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds of failures after which a webhook is switched off */
export const patienceMs = 72 * hour;

/** Milliseconds before the next attempt, by the number of failed ones; the last one repeats. */
const pauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
];

/**
 * When a webhook that has failed `attempts` times in a row, first at `since`, is tried again; null if it is switched off
 * instead. The last attempt is at the end of the three days.
 */
export function nextAttempt(attempts: number, since: Date, now: Date): Date | null {
  const end = since.getTime() + patienceMs;
  if (now.getTime() >= end) return null;
  const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? hour;
  return new Date(Math.min(now.getTime() + pause, end));
}
