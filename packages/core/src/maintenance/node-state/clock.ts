/** Milliseconds between two clocks from which an operator is warned, and from which a node should not serve. */
export const warnFromMs = 1000;
export const refuseFromMs = 60_000;

/** What one question to the database tells of its clock; times in milliseconds. */
export interface ClockReading {
  /** This machine's time when the question was sent, and when the answer arrived */
  sent: number;
  received: number;
  /** The database's time in between */
  database: number;
}

/**
 * How far the database's clock is ahead of ours, in milliseconds; negative if it is behind. Zero if the time of the answer's
 * journey can explain the difference: a slow answer is not a wrong clock.
 */
export function skewOf({ sent, received, database }: ClockReading): number {
  if (database > received) return database - received;
  return database < sent ? database - sent : 0;
}
