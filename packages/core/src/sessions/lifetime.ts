const day = 24 * 3600 * 1000;

/** A login ends when it was not used for this long, in milliseconds … */
export const idleLifetime = 14 * day;

/** … and at the latest this long after it began. */
export const absoluteLifetime = 90 * day;

/** Who was last seen before this moment has been idle for too long. */
export const idleSince = (now: Date): Date => new Date(now.getTime() - idleLifetime);
