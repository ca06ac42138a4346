/** Which rows of the rollups make up a window: as few as can be. All times in milliseconds since the epoch, all in UTC. */

export type Range = readonly [from: number, to: number];

/** A UTC day. */
export const dayMs = 86_400_000;

/** Of what a window's rows are summed: whole days where a row has some, and quarter hours for the rest. */
export interface SeriesPlan {
  days: Range[];
  quarterHours: Range[];
}

/** `bounds` are the rows' starts and the last one's end. */
export function planSeries(bounds: readonly number[]): SeriesPlan {
  const cover: SeriesPlan = { days: [], quarterHours: [] };
  for (const [at, from] of bounds.entries()) {
    const to = bounds[at + 1];
    if (to === undefined) break;
    const [firstDay, lastDay] = [ceilDay(from), floorDay(to)];
    if (firstDay < lastDay) {
      add(cover.quarterHours, from, firstDay);
      add(cover.days, firstDay, lastDay);
      add(cover.quarterHours, lastDay, to);
    } else add(cover.quarterHours, from, to);
  }
  return cover;
}

/** A stretch of raw clicks: added to what the days say, or taken from it. */
export interface RawPart {
  sign: 1 | -1;
  range: Range;
}

/** Of what a window's lists are summed: months and days, without `daysAfter`, and raw clicks of a day at an edge. */
export interface ValuesPlan {
  months: Range;
  days: Range;
  daysAfter: Range;
  raw: { start: RawPart; end: RawPart };
}

/**
 * Covers a window of a day or more that ends in the future or at the end of a UTC day: whatever is after it has hardly
 * happened, so that taking it from the whole day or month is cheaper than adding up what was before.
 * `rawIsKept` says whether there are raw clicks of the window's first UTC day; if not, nothing is taken from that day.
 */
export function planValues(
  { from, to }: { from: number; to: number },
  { months, rawIsKept }: { months: boolean; rawIsKept: boolean },
): ValuesPlan {
  const takesAway = rawIsKept && from - floorDay(from) < ceilDay(from) - from;
  const firstDay = takesAway ? floorDay(from) : ceilDay(from);
  const lastDay = ceilDay(to);
  const start: RawPart = takesAway
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

/** Ranges that touch are one. */
function add(ranges: Range[], from: number, to: number): void {
  if (from >= to) return;
  const last = ranges.at(-1);
  if (last?.[1] === from) ranges[ranges.length - 1] = [last[0], to];
  else ranges.push([from, to]);
}
