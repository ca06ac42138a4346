import type { AnalyticsLiveInput, AnalyticsOverviewInput } from "@terse/client";
import { dimensions, periods } from "@terse/core/browser";
import { type Invocation, type Option, UsageError } from "./command.ts";

/** Options that say which clicks a command is about. */
export const filterOptions: Record<string, Option> = {
  filter: {
    value: "NAME=VALUE",
    help: "Only matching clicks, such as country=DE, or tag=!spring to exclude; repeat it for several",
    multiple: true,
  },
};

/** Options for the window of time. */
export const windowOptions: Record<string, Option> = {
  period: { value: "PERIOD", help: "The last hours, days or months; default 30d", choices: periods },
  from: { value: "TIME", help: "Start, instead of --period: a date, or a time such as 2026-11-21T14:30:00Z" },
  to: { value: "TIME", help: "End: a date (inclusive) or a time; default: now" },
  tz: { value: "ZONE", help: "Time zone, such as Europe/Berlin; default: this machine's" },
};

/**
 * The filters that were given, as the API takes them.
 *
 * @throws {UsageError} if one has no name that clicks can be filtered by
 */
export function filtersOf({ texts }: Invocation): AnalyticsLiveInput {
  const filters: { [name in (typeof dimensions)[number]]?: string[] } = {};
  for (const text of texts("filter") ?? []) {
    const [given, ...rest] = text.split("=");
    const name = dimensions.find((known) => known === given);
    if (name === undefined || rest.length === 0)
      throw new UsageError(`--filter must be NAME=VALUE, with one of the names ${dimensions.join(", ")}`);
    (filters[name] ??= []).push(rest.join("="));
  }
  return filters;
}

/** The requested window. */
export function windowOf({ text }: Invocation) {
  const from = text("from");
  const period = text("period") ?? (from === undefined ? "30d" : undefined);
  return {
    period: period as AnalyticsOverviewInput["period"],
    from,
    to: text("to"),
    tz: text("tz") ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}
