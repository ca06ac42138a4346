import type { Granularity } from "@terse/core/browser";
import { timeFormat } from "../../kit/format/format.ts";

const ticks: Record<Granularity, Intl.DateTimeFormatOptions> = {
  hour: { weekday: "short", hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" },
};
const names: Record<Granularity, Intl.DateTimeFormatOptions> = {
  hour: { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
  day: { weekday: "short", day: "numeric", month: "short", year: "numeric" },
  week: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "long", year: "numeric" },
};

const format = (options: Intl.DateTimeFormatOptions, timeZone: string, start: string): string =>
  start === "" ? "" : timeFormat(options, timeZone).format(new Date(start));

/** The start of a row, short enough to be written below a chart. */
export const tickName = (granularity: Granularity, zone: string, start: string) =>
  format(ticks[granularity], zone, start);

/** The start of a row in full. */
export const rowName = (granularity: Granularity, zone: string, start: string) =>
  format(names[granularity], zone, start);

/** A window in words, such as "12 Oct – 10 Nov"; its end is not included. */
export const windowName = (zone: string, { from, to }: { from: string; to: string }): string =>
  timeFormat({ day: "numeric", month: "short", year: "numeric" }, zone).formatRange(
    new Date(from),
    new Date(Date.parse(to) - 1),
  );

/** A time in full, in a zone. */
export const exactName = (zone: string, time: string): string =>
  format({ dateStyle: "medium", timeStyle: "medium" }, zone, time);
