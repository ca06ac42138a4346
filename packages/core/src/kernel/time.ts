/** A UTC day, in milliseconds. */
export const dayMs = 86_400_000;

/** The UTC day of a time (milliseconds since the epoch), as YYYY-MM-DD. */
export const utcDate = (time: number): string => new Date(time).toISOString().slice(0, 10);
