import type { Dimension, Granularity } from "@terse/core/browser";
import { countryName, timeFormat } from "../../kit/format/format.ts";
import type { Strings } from "../../words/en.ts";
import { fromFilter } from "./search.ts";

/** A value of a filter, as people call it. */
export function valueName(name: Dimension, value: string, { analytics, report }: Strings): string {
  if (value === "unknown") return report.unknown;
  switch (name) {
    case "country":
      return countryName(value);
    case "continent":
      return analytics.continents[value] ?? value;
    case "device":
      return analytics.devices[value] ?? value;
    case "channel":
      return report.channelNames[value] ?? value;
    case "referrer":
      return { "(direct)": report.direct, "(other)": analytics.otherReferrers }[value] ?? value;
    case "variant":
      return analytics.variant(value);
    case "bot":
      return analytics.botNames[value] ?? value;
    case "utm_source":
    case "utm_medium":
    case "utm_campaign":
    case "utm_term":
    case "utm_content":
      return value === "(none)" ? analytics.noCampaign : fromFilter(value);
    default:
      return fromFilter(value);
  }
}

const ticks: Record<Granularity, Intl.DateTimeFormatOptions> = {
  hour: { weekday: "short", hour: "2-digit", minute: "2-digit" },
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" },
};
const rowNames: Record<Granularity, Intl.DateTimeFormatOptions> = {
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
  format(rowNames[granularity], zone, start);

/** A window in words, such as "12 Oct – 10 Nov"; its end is not included. */
export const windowName = (zone: string, { from, to }: { from: string; to: string }): string =>
  timeFormat({ day: "numeric", month: "short", year: "numeric" }, zone).formatRange(
    new Date(from),
    new Date(Date.parse(to) - 1),
  );

/** A time in full, in a zone. */
export const exactName = (zone: string, time: string): string =>
  format({ dateStyle: "medium", timeStyle: "medium" }, zone, time);
