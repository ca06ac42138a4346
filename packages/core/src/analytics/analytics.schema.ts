import * as z from "zod";
import { otherReferrers } from "../clicks/index.ts";
import { linkSchema } from "../links/index.ts";
import { named } from "../validation/outputs.ts";
import { timestamp } from "../validation/strings.ts";
import { periods } from "./periods.ts";

const count = z.int().min(0);
const ratio = z.number().nullable().describe("0.5 means 50 % more; null where there were none before");
const listOf = <Name extends string>(name: Name) =>
  z.array(
    z.object({ [name]: z.string(), clicks: count } as { [key in Name]: z.ZodString } & {
      clicks: typeof count;
    }),
  );

const report = z.object({
  period: z.enum(periods),
  /** What a row of the time series is */
  granularity: z.enum(["hour", "day", "month"]).describe("What a row of the time series is"),
  /** Time zone of the hours, days and months */
  timezone: z.string().describe("Time zone of the hours, days and months"),
  from: timestamp,
  /** Not included */
  to: timestamp.describe("Not included"),
  /** The window before, where compare asks for it */
  previous: z
    .object({ from: timestamp, to: timestamp, clicks: count, visitors: count })
    .nullable()
    .describe("The window before, where compare asks for it"),
  change: z
    .object({
      /** 0.5 means 50 % more; null where there were none before */
      clicks: ratio,
      /** 0.5 means 50 % more; null where there were none before */
      visitors: ratio,
    })
    .nullable(),
  timeseries: z.array(z.object({ start: timestamp, clicks: count, visitors: count })),
  countries: listOf("country"),
  devices: listOf("device"),
  browsers: listOf("browser"),
  os: listOf("os"),
  /** The 100 with most clicks, and "(other)" for all others */
  referrers: listOf("referrer").describe(`The 100 with most clicks, and "${otherReferrers}" for all others`),
  /** The 100 with most clicks, deleted ones among them */
  top_links: z
    .array(
      z.object({
        id: z.string(),
        slug: z.string(),
        domain: z.string(),
        shortUrl: z.string(),
        destination: z.string(),
        title: z.string().nullable(),
        clicks: count,
      }),
    )
    .describe("The 100 with most clicks, deleted ones among them"),
});

const overviewFields = report.extend({
  /** True where the plan has no analytics: numbers are null and lists empty */
  locked: z.boolean().describe("True where the plan has no analytics: numbers are null and lists empty"),
  clicks: count.nullable(),
  visitors: count.nullable(),
  bots: count.nullable(),
});

/** The analytics of an account; on a plan without analytics, only the window. */
export interface Overview extends z.infer<typeof overviewFields> {}
export const overviewSchema = named<Overview>("Overview", overviewFields);

const linkFields = report.extend({
  locked: z.literal(false),
  clicks: count,
  visitors: count,
  bots: count,
  link: linkSchema,
  /** The variants of the link's A/B test, in its order; empty without one */
  variants: z
    .array(z.object({ url: z.string(), weight: z.int().min(1), clicks: count }))
    .describe("The variants of the link's A/B test, in its order; empty without one"),
});

/** The analytics of one link. */
export interface LinkAnalytics extends z.infer<typeof linkFields> {}
export const linkAnalyticsSchema = named<LinkAnalytics>("LinkAnalytics", linkFields);

export type Report = Omit<LinkAnalytics, "link" | "variants">;
