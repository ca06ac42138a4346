/** A UTC day, in milliseconds. */
export const dayMs = 86_400_000;

/** An hour, in milliseconds. */
export const hourMs = 3_600_000;

/** A quarter of an hour, in milliseconds. Hours and days of every time zone begin at a multiple of it. */
export const quarterHourMs = 900_000;

/** The UTC day of a time (milliseconds since the epoch), as YYYY-MM-DD. */
export const utcDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A time (milliseconds since the epoch, or a timestamp as the pool reads it) as answers have it, ISO 8601 in UTC; null stays null. */
export function isoTime(time: number | string): string;
export function isoTime(time: number | string | null): string | null;
export function isoTime(time: number | string | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
