/** A UTC day, in milliseconds. */
export const dayMs = 86_400_000;

/** The longest time that the hours and days of every time zone are made of, in milliseconds. */
export const quarterHourMs = 900_000;

/** The UTC day of a time (milliseconds since the epoch), as YYYY-MM-DD. */
export const utcDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A time (milliseconds since the epoch, as statements read it) in ISO 8601, as answers tell it; null stays null. */
export const isoTime = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString();
