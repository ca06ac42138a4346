import { firstIdAt } from "../clicks/click-id.ts";
import { dayMs, utcDate } from "../kernel/time.ts";
import type { Range, RawPart } from "./window-plan.ts";

/** Times as parameters of SQL statements. */

export const timestamps = (times: readonly number[]): string[] =>
  times.map((time) => new Date(time).toISOString());

/** The bounds of a range of UTC days, as YYYY-MM-DD. */
export const dates = (range: Range): string[] => range.map(utcDate);

export const daysIn = ([from, to]: Range): string[] =>
  Array.from({ length: (to - from) / dayMs }, (_, at) => utcDate(from + at * dayMs));

/** Bounds of the click ids of a range: from the first up to, but not including, the second. */
export const idsOf = (range: Range): string[] => range.map((time) => String(firstIdAt(time)));

export const partOf = ({ sign, range }: RawPart): [sign: number, ...ids: string[]] => [sign, ...idsOf(range)];
