import { AppError } from "../kernel/errors.ts";
import type { Question } from "./analytics.input.ts";
import {
  endAt,
  equalWindowBefore,
  maxRows,
  momentOf,
  startAt,
  windowBefore,
  windowBetween,
  windowOf,
  withRows,
} from "./periods.ts";
import type { Window } from "./question.ts";

/** The window that a question is about. */
export interface Windows {
  window: Window;
  /** The one before it; null if clicks before this window are left out */
  before: () => Window | null;
}

/**
 * Throws a 400 if the window is empty or has too many rows. `first` is the account's or link's first click; the period
 * `all` does not begin before `since`.
 */
export function windowsOf(
  { span, granularity, tz }: Pick<Question, "span" | "granularity" | "tz">,
  now: number,
  first: number | null = null,
  since: number | null = null,
): Windows {
  if ("period" in span) {
    const whole = windowOf(span.period, tz, now, first);
    const from = span.period === "all" ? Math.max(whole.from, since ?? whole.from) : whole.from;
    const isWhole = granularity === undefined && from === whole.from;
    const window = isWhole
      ? whole
      : demandRows(withRows({ from, to: whole.to }, granularity ?? whole.granularity, tz));
    return { window, before: () => (from === whole.from ? windowBefore(whole, tz) : null) };
  }
  const end = span.to ?? new Date(now).toISOString();
  const from = startAt(span.from, tz);
  const to = endAt(end, tz);
  // Times within a quarter of an hour are rounded to the same one, in whichever order they come.
  if (to <= from || momentOf(span.from, from) > momentOf(end, to)) {
    const message = span.to === undefined ? "from: must be before now" : "to: must be after from";
    throw new AppError("BAD_REQUEST", message);
  }
  const window = demandRows(windowBetween(from, to, tz, granularity));
  return { window, before: () => equalWindowBefore(window, tz) };
}

function demandRows(window: Window): Window {
  if (window.starts.length <= maxRows) return window;
  const { granularity } = window;
  const choice = granularity === "month" ? "a shorter window" : "a longer one or a shorter window";
  const message = `granularity: ${granularity} would give more than ${maxRows} rows; choose ${choice}`;
  throw new AppError("BAD_REQUEST", message);
}
