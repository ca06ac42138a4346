const day = 24 * 3600 * 1000;

/** A session ends when it was not used for this many milliseconds … */
const idleLifetime = 14 * day;

/** … and at the latest this many milliseconds after it began. */
export const absoluteLifetime = 90 * day;

/** Sessions last used before this time have expired. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - idleLifetime);
