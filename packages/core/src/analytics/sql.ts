import { firstIdAt } from "../clicks/index.ts";
import { dayMs, type Range, type RawPart } from "./window-plan.ts";

/** Times as PostgreSQL reads them. */

export const timestamps = (times: readonly number[]): string[] =>
  times.map((time) => new Date(time).toISOString());

/** YYYY-MM-DD, of times that are UTC midnights. */
export const dates = (range: Range): string[] => timestamps(range).map((text) => text.slice(0, 10));

/** First days of the months in a range. */
export function monthsIn([from, to]: Range): string[] {
  const months: string[] = [];
  for (let month = from; month < to; ) {
    const date = new Date(month);
    months.push(date.toISOString().slice(0, 10));
    month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  }
  return months;
}

/** Days in a range. */
export const daysIn = ([from, to]: Range): string[] =>
  Array.from({ length: (to - from) / dayMs }, (_, at) =>
    new Date(from + at * dayMs).toISOString().slice(0, 10),
  );

/** Ids of the clicks of a range: not below the first, below the last. */
export const idsOf = (range: Range): string[] => range.map((time) => String(firstIdAt(time)));

export const partOf = ({ sign, range }: RawPart): [sign: number, ...ids: string[]] => [sign, ...idsOf(range)];
