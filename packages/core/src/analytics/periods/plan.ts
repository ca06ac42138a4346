import { dayMs, utcDate } from "../../kernel/time.ts";
import { firstIdAt } from "../../clicks/click-id.ts";
import type { TimeRange } from "../question.ts";

/** Which rollup rows make up a window, as few as possible. All times in milliseconds since the epoch, in UTC. */

export type Range = readonly [from: number, to: number];

/**
 * Plans what the rows of a time series are summed from: UTC days that are in a row as a whole, and quarter hours. `bounds` are the
 * starts of the rows and the end of the last one.
 */
export function planSeries(bounds: readonly number[]): { days: Range[]; quarterHours: Range[] } {
  const plan: ReturnType<typeof planSeries> = { days: [], quarterHours: [] };
  for (const [at, from] of bounds.entries()) {
    const to = bounds[at + 1];
    if (to === undefined) break;
    const [firstDay, lastDay] = [ceilDay(from), floorDay(to)];
    if (firstDay < lastDay) {
      add(plan.quarterHours, from, firstDay);
      add(plan.days, firstDay, lastDay);
      add(plan.quarterHours, lastDay, to);
    } else add(plan.quarterHours, from, to);
  }
  return plan;
}

/** A range of raw clicks that is added to the days or subtracted from them. */
export interface RawPart {
  sign: 1 | -1;
  range: Range;
}

/** The sources of a window's breakdowns: months plus days, minus `daysAfter`, plus or minus raw clicks at the edges. */
export interface BreakdownPlan {
  months: Range;
  days: Range;
  daysAfter: Range;
  /** The days that months, days and daysAfter make together */
  wholeDays: Range;
  raw: { start: RawPart; end: RawPart };
}

/** Facts about a window besides its bounds. */
export interface Known {
  /** Whether sums by month may be used */
  months: boolean;
  /** Whether the raw clicks of the window's first UTC day still exist; if not, none are subtracted there */
  rawIsKept: boolean;
  /** The same for its last UTC day */
  endIsKept?: boolean;
  /** Whether it ended before now */
  isPast?: boolean;
  /** Whether there are no visits after its end on its last UTC day */
  isQuietAfter?: boolean;
}

/**
 * Plans a window. The part of a UTC day at its start or end is added, or the rest of that day is subtracted, whichever is
 * shorter. After the end of a window that ends in the future there are hardly any clicks, so these are always subtracted, and
 * usually none at all: then nothing is.
 */
export function planBreakdowns(
  { from, to }: TimeRange,
  { months, rawIsKept, endIsKept = true, isPast = false, isQuietAfter = false }: Known,
): BreakdownPlan {
  const subtracts = rawIsKept && from - floorDay(from) < ceilDay(from) - from;
  const firstDay = subtracts ? floorDay(from) : ceilDay(from);
  const subtractsEnd = isQuietAfter || (endIsKept && (!isPast || ceilDay(to) - to <= to - floorDay(to)));
  const lastDay = subtractsEnd ? ceilDay(to) : floorDay(to);
  if (firstDay > lastDay) {
    const part = { start: { sign: 1, range: [from, to] }, end: { sign: 1, range: nothing } } as const;
    return { months: nothing, days: nothing, daysAfter: nothing, wholeDays: nothing, raw: part };
  }
  const raw = {
    start: { sign: subtracts ? -1 : 1, range: subtracts ? [firstDay, from] : [from, firstDay] },
    end: {
      sign: subtractsEnd ? -1 : 1,
      range: isQuietAfter ? nothing : subtractsEnd ? [to, lastDay] : [lastDay, to],
    },
  } satisfies BreakdownPlan["raw"];
  const wholeDays: Range = [firstDay, lastDay];
  const [firstMonth, lastMonth] = [ceilMonth(firstDay), ceilMonth(lastDay)];
  if (!months || firstMonth >= lastDay)
    return { months: nothing, days: wholeDays, daysAfter: nothing, wholeDays, raw };
  return {
    months: [firstMonth, lastMonth],
    days: [firstDay, firstMonth],
    daysAfter: [lastDay, lastMonth],
    wholeDays,
    raw,
  };
}

const nothing: Range = [0, 0];
const floorDay = (time: number) => Math.floor(time / dayMs) * dayMs;
export const ceilDay = (time: number) => Math.ceil(time / dayMs) * dayMs;

function ceilMonth(time: number): number {
  const date = new Date(time);
  const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  return month === time ? time : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Adds a range, joined with the last one if they touch. */
function add(ranges: Range[], from: number, to: number): void {
  if (from >= to) return;
  const last = ranges.at(-1);
  if (last?.[1] === from) ranges[ranges.length - 1] = [last[0], to];
  else ranges.push([from, to]);
}

/** Times as parameters of SQL statements. */

export const timestamps = (times: readonly number[]): string[] =>
  times.map((time) => new Date(time).toISOString());

/** The bounds of a range of UTC days, as YYYY-MM-DD. */
export const dates = (range: Range): string[] => range.map(utcDate);

export const daysIn = ([from, to]: Range): string[] =>
  Array.from({ length: (to - from) / dayMs }, (_, at) => utcDate(from + at * dayMs));

/** The smallest ids of clicks at some times: of a range from the first up to, but not including, the second. */
export const idsOf = (times: readonly number[]): string[] => times.map((time) => String(firstIdAt(time)));

export const partOf = ({ sign, range }: RawPart): [sign: number, ...ids: string[]] => [sign, ...idsOf(range)];
