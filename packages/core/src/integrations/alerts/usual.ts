import { dayMs, hourMs } from "../../kernel/time.ts";
import type { Finding } from "./finding.ts";

const weekMs = 7 * dayMs;
const weeks = 4;

/** Fewer clicks in an hour are not a surge, whatever is usual. */
const fewestClicks = 10;

/** The bounds of the hours that are compared: the hour before, and the current one, of this week and the four before. */
export function boundsOf(now: number): number[] {
  const hour = Math.floor(now / hourMs) * hourMs;
  return Array.from({ length: weeks + 1 }, (_, at) => hour - (weeks - at) * weekMs).flatMap((start) => [
    start - hourMs,
    start,
    start + hourMs,
  ]);
}

/**
 * Compares the clicks of the current hour, and of the one before, with the mean of the same hour of the weeks before, as far as
 * there were clicks at all. `clicks` are those between each two of the bounds; `first`: the time of the first click.
 */
export function surgeIn(
  clicks: readonly number[],
  now: number,
  factor: number,
  first: number | null,
): Finding {
  const bounds = boundsOf(now);
  const nothing = { isOn: false, clicks: 0, usual: null };
  const found = [0, 1].map((hour): Finding => {
    const at = (week: number) => week * 3 + hour;
    const [from = 0, to = 0] = [bounds[at(weeks)], bounds[at(weeks) + 1]];
    const before = Array.from({ length: weeks }, (_, week) => week).filter(
      (week) => first !== null && (bounds[at(week)] as number) >= Math.floor(first / hourMs) * hourMs,
    );
    const window = { from, to: Math.min(to, now) };
    if (before.length === 0) return { ...nothing, window };
    const usual = before.reduce((sum, week) => sum + (clicks[at(week)] ?? 0), 0) / before.length;
    const counted = clicks[at(weeks)] ?? 0;
    return { isOn: counted >= Math.max(fewestClicks, factor * usual), clicks: counted, usual, window };
  });
  const [previous, current] = found as [Finding, Finding];
  return current.isOn || !previous.isOn ? current : previous;
}
