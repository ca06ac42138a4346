import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import {
  campaignDimensions,
  type Dimension,
  type Granularity,
  type Period,
  placeDimensions,
} from "@terse/core/browser";
import type { Answers } from "../../kit/api/answers.ts";
import { api, client } from "../../kit/api/api.ts";
import { momentIn, storedZone } from "../../kit/format/zone.ts";
import { addDays, dayIn, daysFrom, endOfMonth, yearBefore } from "../../kit/format/days.ts";
import { asFilter, type Filters, filtersOf, type ReportSearch, type ReportState } from "./search.ts";

type Outputs = Answers["analytics"];

/** What reports of the account and of a link have in common; a link's also has the variants of its A/B test. */
export type Figures = Outputs["overview"] & { variants?: Outputs["link"]["variants"] };
export type TopLink = Figures["top_links"][number];

/** What the API is asked for. */
export interface Question extends Filters {
  period?: Period;
  /** A day or a time (ISO 8601); the end is included if it is a day */
  from?: string;
  to?: string;
  granularity?: Granularity;
  tz: string;
}

/** The time zone of a report. */
export const zoneOf = ({ tz }: ReportSearch): string => tz ?? storedZone();

/** The question of a report's state. */
export function questionOf(search: ReportSearch, zone: string): Question {
  const { period = "30d", from, to, granularity } = search;
  return {
    ...(from && to ? { from, to } : { period }),
    ...(granularity && { granularity }),
    tz: zone,
    ...filtersOf(search),
  };
}

const quarterMs = 900_000;
/** Milliseconds that a window has still to go, in whole quarter hours, as counts have them. */
const remainingOf = ({ to }: Pick<Figures, "to">): number =>
  Math.max(0, Math.floor((Date.parse(to) - Date.now()) / quarterMs) * quarterMs);

/** Whether the last row of a report is not over. */
export const isRunning = ({ to }: Pick<Figures, "to">): boolean => Date.parse(to) > Date.now();

/** The question of the window that a report is compared with, as far as the report's own has gone; null if there is none. */
export function earlierQuestion(
  search: ReportSearch,
  zone: string,
  figures: Figures | undefined,
): Question | null {
  if (!figures || search.against === "none" || search.period === "all") return null;
  const common = { granularity: figures.granularity, tz: zone, ...filtersOf(search) };
  const remaining = remainingOf(figures);
  const until = (time: string | number) => new Date(new Date(time).getTime() - remaining).toISOString();
  if (search.against !== "year") {
    const { previous } = figures;
    return previous && { from: previous.from, to: until(previous.to), ...common };
  }
  if (figures.granularity === "hour" && !search.from) {
    const [from = 0, to = 0] = [figures.from, figures.to].map((time) => Date.parse(time) - yearMs);
    return { from: new Date(from).toISOString(), to: until(to), ...common };
  }
  const { first, last } = daysOf(figures, zone);
  const end = yearBefore(last);
  const to = remaining === 0 ? end : until(momentIn(zone, `${addDays(end, 1)}T00:00`));
  return { from: yearBefore(first), to, ...common };
}

const yearMs = 365 * 86_400_000;

/** The first and the last day of a report. */
export const daysOf = ({ from, to }: Pick<Figures, "from" | "to">, zone: string) => ({
  first: dayIn(zone, from),
  last: dayIn(zone, Date.parse(to) - 1),
});

/** The lengths of a row that suit a window: neither two rows nor thousands. */
export function granularitiesFor(figures: Figures, zone: string): Granularity[] {
  const { first, last } = daysOf(figures, zone);
  const days = daysFrom(first, last);
  const fits: Record<Granularity, boolean> = {
    hour: days <= 14,
    day: days > 2 && days <= 366,
    week: days > 20 && days <= 1100,
    month: days > 89,
  };
  return (["hour", "day", "week", "month"] as const).filter(
    (name) => fits[name] || name === figures.granularity,
  );
}

/** The window of one row, and the length of its rows; null for an hour. */
export function zoomInto(granularity: Granularity, start: string, next: string | undefined, zone: string) {
  if (granularity === "hour") return null;
  const from = dayIn(zone, start);
  if (granularity === "day") return { from, to: from, granularity: "hour" as const };
  const end = granularity === "week" ? addDays(from, 6) : endOfMonth(from);
  const to = next ? dayIn(zone, Date.parse(next) - 1) : end;
  return { from, to, granularity: "day" as const };
}

/** Reports have no list by these names. */
export const countedApart: ReadonlySet<Dimension> = new Set([
  "continent",
  ...placeDimensions,
  ...campaignDimensions,
  "domain",
]);

/** A report's list by the values of one name, most clicks first; empty if reports have no such list. */
export function rowsOf(figures: Figures, name: Dimension): { value: string; clicks: number }[] {
  const {
    countries,
    devices,
    browsers,
    os,
    referrers,
    channels,
    top_links,
    bots_by,
    variants = [],
  } = figures;
  switch (name) {
    case "country":
      return countries.map(({ country, clicks }) => ({ value: country, clicks }));
    case "device":
      return devices.map(({ device, clicks }) => ({ value: device, clicks }));
    case "browser":
      return browsers.map(({ browser, clicks }) => ({ value: browser, clicks }));
    case "os":
      return os.map((row) => ({ value: row.os, clicks: row.clicks }));
    case "referrer":
      return referrers.map(({ referrer, clicks }) => ({ value: referrer, clicks }));
    case "channel":
      return channels.map(({ channel, clicks }) => ({ value: channel, clicks }));
    case "link_id":
      return top_links.map(({ id, clicks }) => ({ value: id, clicks }));
    case "bot":
      return [...Map.groupBy(bots_by, ({ bot }) => bot)].map(([value, rows]) => ({
        value,
        clicks: sum(rows),
      }));
    case "variant":
      return variants.map(({ clicks }, at) => ({ value: String(at + 1), clicks }));
    default:
      return [];
  }
}

const sum = (rows: readonly { clicks: number }[]) => rows.reduce((total, { clicks }) => total + clicks, 0);

/** A report of the account, or of the link with that id. The last answer stays until the next one is there. */
export const figuresOptions = (id: string | undefined, question: Question, compare = false) =>
  queryOptions({
    queryKey: [...api.analytics.pathKey(), "figures", id, question, compare],
    queryFn: ({ signal }): Promise<Figures> =>
      id === undefined
        ? client.analytics.overview.query({ ...question, compare }, { signal })
        : client.analytics.link.query({ id, ...question, compare }, { signal }),
    placeholderData: keepPreviousData,
  });

/** The clicks of the same question by the values of one name. */
export const groupsOptions = (id: string | undefined, question: Question, group_by: Dimension) =>
  queryOptions({
    queryKey: [...api.analytics.pathKey(), "groups", id, question, group_by],
    queryFn: ({ signal }): Promise<Pick<Figures, "groups">> =>
      id === undefined
        ? client.analytics.overview.query({ ...question, group_by }, { signal })
        : client.analytics.link.query({ id, ...question, group_by }, { signal }),
    placeholderData: keepPreviousData,
  });

/** The values of one name with their clicks, as `groupsOptions` has them. */
export const groupRows = ({ groups }: Pick<Figures, "groups">, name: Dimension) =>
  (groups ?? []).flatMap(({ [name]: value, clicks }) =>
    value === undefined ? [] : [{ value: asFilter(value), clicks }],
  );

/** The report of a screen's state, with the totals of the window before, if there is one. */
export const reportOptions = (id: string | undefined, search: ReportSearch) =>
  figuresOptions(id, questionOf(search, zoneOf(search)), search.period !== "all");

type Of = Pick<ReportState, "id" | "search" | "zone">;

/** The figures that a report is compared with; undefined if there are none, or not yet. */
export function useEarlier({ id, search, zone }: Of, figures: Figures | undefined): Figures | undefined {
  const question = earlierQuestion(search, zone, figures);
  const earlier = useQuery({
    ...figuresOptions(id, question ?? { tz: zone }),
    enabled: question !== null,
  });
  return question === null || earlier.isPlaceholderData ? undefined : earlier.data;
}

/** Changes against what a report is compared with: of a window that still runs, against as much of the earlier one. */
export function changeOf({ search }: Of, figures: Figures, earlier: Figures | undefined) {
  if (search.against === "none") return null;
  if (search.against !== "year" && !isRunning(figures)) return figures.change;
  const ratio = (now: number | null, before: number | null | undefined) =>
    now === null || !before ? null : (now - before) / before;
  return {
    clicks: ratio(figures.clicks, earlier?.clicks),
    visitors: ratio(figures.visitors, earlier?.visitors),
  };
}
