import { dayMs } from "../kernel/time.ts";

/** Which rollup rows make up a window, as few as possible. All times in milliseconds since the epoch, in UTC. */

export type Range = readonly [from: number, to: number];

/** What the rows of a time series are summed from: UTC days that are in a row as a whole, and quarter hours. */
export interface SeriesPlan {
  days: Range[];
  quarterHours: Range[];
}

/** `bounds` are the starts of the rows and the end of the last one. */
export function planSeries(bounds: readonly number[]): SeriesPlan {
  const plan: SeriesPlan = { days: [], quarterHours: [] };
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

/** What a window's breakdowns are summed from: months plus days, minus `daysAfter`, plus or minus raw clicks at the edges. */
export interface BreakdownPlan {
  months: Range;
  days: Range;
  daysAfter: Range;
  raw: { start: RawPart; end: RawPart };
}

/**
 * Plans a window of at least a day that ends in the future or at the end of a UTC day. After its end there are hardly any
 * clicks, so subtracting them from the last day or month is cheaper than adding up that day's or month's parts.
 * `rawIsKept`: whether the raw clicks of the window's first UTC day still exist; if not, none are subtracted there.
 */
export function planBreakdowns(
  { from, to }: { from: number; to: number },
  { months, rawIsKept }: { months: boolean; rawIsKept: boolean },
): BreakdownPlan {
  const subtracts = rawIsKept && from - floorDay(from) < ceilDay(from) - from;
  const firstDay = subtracts ? floorDay(from) : ceilDay(from);
  const lastDay = ceilDay(to);
  const start: RawPart = subtracts
    ? { sign: -1, range: [firstDay, from] }
    : { sign: 1, range: [from, firstDay] };
  const raw = { start, end: { sign: -1, range: [to, lastDay] } satisfies RawPart };
  const firstMonth = ceilMonth(firstDay);
  if (!months || firstMonth >= lastDay) {
    return { months: nothing, days: [firstDay, lastDay], daysAfter: nothing, raw };
  }
  const lastMonth = ceilMonth(lastDay);
  return {
    months: [firstMonth, lastMonth],
    days: [firstDay, firstMonth],
    daysAfter: [lastDay, lastMonth],
    raw,
  };
}

const nothing: Range = [0, 0];
const floorDay = (time: number) => Math.floor(time / dayMs) * dayMs;
const ceilDay = (time: number) => Math.ceil(time / dayMs) * dayMs;

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
