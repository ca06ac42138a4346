import { refused } from "../kernel/validation/issues.ts";
import { accountProcedure } from "./call.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { reading } from "../rpc/call.ts";
import { findLink, toLink } from "../links/link.row.ts";
import { type Question, questionFields, questionOf, timeZone } from "./analytics.input.ts";
import { linkAnalyticsSchema, type Overview, overviewSchema } from "./analytics.schema.ts";
import { listsBy } from "./breakdowns/lists.ts";
import { filterFields, filterNote, filtersOf } from "./filter.input.ts";
import { report, windowInReport } from "./report.ts";
import { accountScope, linkScope } from "./question.ts";
import { daysBetween, windowsOf } from "./periods/periods.ts";
import * as z from "zod";
import { refusal } from "../kernel/errors.ts";
import { dayMs, utcDate } from "../kernel/time.ts";
import { readFilteredSeries } from "./questions/answer.ts";
import { fromClicks, withReportSlot } from "./questions/source.ts";
import { readSeries } from "./periods/series.ts";
import { isId } from "../kernel/validation/ids.ts";
import { timestamp } from "../kernel/validation/strings.ts";
import { router } from "../rpc/procedure.ts";
import { exportClicks } from "./exports/export.ts";
import { live, realtime } from "./live/live.procedures.ts";
import { whatIf } from "./what-if/what-if.ts";

/** Reports on all links of the account, or on one of them. For a plan without analytics, the report is empty. */
const overview = accountProcedure
  .meta({
    scope: "analytics:read",
    route: "GET /v1/analytics/overview",
    tag: "Analytics",
    summary: "Get the account's analytics",
    description: `On the Free plan the answer is locked: numbers are null and lists empty. ${filterNote}`,
    successDescription: "Totals, a time series, and breakdowns of the clicks",
    errors: [404],
  })
  .input(
    fieldsOf({
      ...questionFields,
      linkId: z.string().meta({ description: "Only this link's clicks" }).optional(),
    }).prefault({}),
  )
  .output(overviewSchema)
  .query(async ({ ctx, input }) => {
    const { deps, account } = ctx;
    const { linkId: id } = input;
    const question = questionOf(input);
    if (id !== undefined) await findLink(ctx, id);
    if (!deps.plans[account.plan].features.analytics) return locked(question, deps.clock());
    const scope = id === undefined ? accountScope(account.id) : linkScope(id, account.id);
    return (await report(reading(ctx).deps, scope, question)).report;
  });

const locked = (question: Question, now: Date): Overview => ({
  ...windowInReport(question, windowsOf(question, now.getTime()).window),
  locked: true,
  clicks: null,
  visitors: null,
  bots: null,
  previous: null,
  change: null,
  groups: null,
  other_groups: null,
  timeseries: [],
  ...listsBy(() => []),
  bots_by: [],
  top_links: [],
});

/** Reports on one link, including the variants of its A/B test. */
const linkAnalytics = accountProcedure
  .meta({
    scope: "analytics:read",
    route: "GET /v1/analytics/link/{id}",
    tag: "Analytics",
    summary: "Get a link's analytics",
    description: filterNote,
    successDescription: "Totals, a time series, and breakdowns of the clicks",
    errors: [404],
  })
  .input(fieldsOf({ id: z.string(), ...questionFields }))
  .output(linkAnalyticsSchema)
  .query(async ({ ctx, input: { id, ...input } }) => {
    const question = questionOf(input);
    const link = await toLink(ctx, await findLink(ctx, id));
    const scope = linkScope(id, ctx.account.id);
    const { report: fields, variants } = await report(reading(ctx).deps, scope, question);
    return {
      ...fields,
      link,
      variants: (link.ab_test?.variants ?? []).map((variant, at) => ({
        ...variant,
        clicks: variants.get(String(at)) ?? 0,
      })),
    };
  });

const maxDays = 366;

const error = "must be a date between 2000-01-01 and 2099-12-31, written YYYY-MM-DD";
const date = z.iso
  .date({ error, abort: true })
  .refine((text) => text.startsWith("20"), refused("invalid_format", error, { format: "date" }));

/** Returns a link's clicks by day of a time zone, from one date to another, both included; days without clicks too. */
const dailyStats = accountProcedure
  .meta({ scope: "analytics:read" })
  .input(
    fieldsOf({
      id: z.string(),
      from: date.describe("First day (YYYY-MM-DD)"),
      to: date.describe("Last day, inclusive; at most 366 days in all"),
      tz: timeZone,
      ...filterFields,
    }),
  )
  .output(z.array(z.object({ date: z.string(), clicks: z.int(), visitors: z.int() })))
  .query(async ({ ctx, input: { id, from, to, tz, ...names } }) => {
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (days < 1)
      throw refusal("BAD_REQUEST", "to", "too_early", "must not be before from", { than: "from" });
    if (days > maxDays) {
      const message = `the window must have at most ${maxDays} days, not ${days}`;
      throw refusal("BAD_REQUEST", "to", "too_many", message, { max: maxDays, unit: "days" });
    }
    await findLink(ctx, id);
    const { dates, bounds } = daysBetween(from, to, tz);
    const scope = linkScope(id, ctx.account.id);
    const filters = filtersOf(names);
    const counts = await (filters.length > 0
      ? fromClicks(ctx.deps, (source) =>
          withReportSlot(ctx.deps.pool, ctx.account.id, true, (database) =>
            readFilteredSeries(database, ctx.deps, scope, filters, bounds, source),
          ),
        )
      : readSeries(ctx.deps.pool, scope, bounds));
    return counts.map(({ clicks, visitors }, at) => ({ date: dates[at] as string, clicks, visitors }));
  });

const days = 30;
const maxIds = 100;

/** Returns the daily clicks of several links at once, such as those of a page of a list. */
const sparklines = accountProcedure
  .meta({
    scope: "analytics:read",
    route: "GET /v1/analytics/sparklines",
    tag: "Analytics",
    summary: "Get the daily clicks of several links",
    description: "On the Free plan the answer is locked: `links` is empty.",
    successDescription: "For each link of the account, its clicks on each of the last 30 days",
  })
  .input(
    fieldsOf({
      ids: z
        .array(z.string())
        .max(maxIds, `must name at most ${maxIds} links`)
        .default([])
        .describe(`Ids of at most ${maxIds} links; links of other accounts are left out`),
    }).prefault({}),
  )
  .output(
    z.object({
      locked: z.boolean().describe("True if the plan has no analytics"),
      from: timestamp.describe("Start of the first day, in UTC"),
      to: timestamp.describe("End of the last day (today), exclusive"),
      links: z
        .array(
          z.object({
            id: z.string(),
            clicks: z.array(z.int().min(0)).describe("Clicks of each day, oldest first"),
          }),
        )
        .describe("The requested links, without those of other accounts"),
    }),
  )
  .query(async ({ ctx: { deps, account }, input: { ids } }) => {
    const now = deps.clock().getTime();
    const to = now - (now % dayMs) + dayMs;
    const from = to - days * dayMs;
    const window = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    if (!deps.plans[account.plan].features.analytics) return { locked: true, ...window, links: [] };
    const { rows } = await deps.pool.query<{ id: string; at: number | null; clicks: number | null }>({
      name: "sparklines",
      text: `select l.id, d.day - $3::date as at, d.clicks::float8 as clicks
             from links l left join link_days d on d.link_id = l.id and d.day >= $3 and d.day < $4
             where l.id = any($1::uuid[]) and l.account_id = $2`,
      values: [ids.filter(isId), account.id, utcDate(from), utcDate(to)],
    });
    const found = new Map<string, number[]>();
    for (const { id, at, clicks } of rows) {
      const line = found.get(id) ?? Array.from({ length: days }, () => 0);
      if (at !== null) line[at] = clicks ?? 0;
      found.set(id, line);
    }
    const links = [...new Set(ids)].flatMap((id) => {
      const clicks = found.get(id);
      return clicks ? [{ id, clicks }] : [];
    });
    return { locked: false, ...window, links };
  });

export const analyticsRouter = router({
  overview,
  realtime,
  live,
  link: linkAnalytics,
  export: exportClicks,
  /** Get a link's clicks day by day */
  dailyStats,
  sparklines,
  whatIf,
});
