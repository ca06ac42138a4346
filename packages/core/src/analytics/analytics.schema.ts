import * as z from "zod";
import { otherReferrers } from "../clicks/index.ts";
import { linkSchema } from "../links/index.ts";
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
  granularity: z.enum(["hour", "day", "month"]).describe("What a row of the time series is"),
  timezone: z.string().describe("Time zone of the hours, days and months"),
  from: timestamp,
  to: timestamp.describe("Not included"),
  previous: z
    .object({ from: timestamp, to: timestamp, clicks: count, visitors: count })
    .nullable()
    .describe("The window before, where compare asks for it"),
  change: z.object({ clicks: ratio, visitors: ratio }).nullable(),
  timeseries: z.array(z.object({ start: timestamp, clicks: count, visitors: count })),
  countries: listOf("country"),
  devices: listOf("device"),
  browsers: listOf("browser"),
  os: listOf("os"),
  referrers: listOf("referrer").describe(`The 100 with most clicks, and "${otherReferrers}" for all others`),
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

/** What an account sees of its clicks; a plan without analytics sees its frame. */
export const overviewSchema = report.extend({
  locked: z.boolean().describe("True where the plan has no analytics: numbers are null and lists empty"),
  clicks: count.nullable(),
  visitors: count.nullable(),
  bots: count.nullable(),
});

export const linkReportSchema = report.extend({
  locked: z.literal(false),
  clicks: count,
  visitors: count,
  bots: count,
  link: linkSchema,
  variants: z
    .array(z.object({ url: z.string(), weight: z.int().min(1), clicks: count }))
    .describe("The variants of the link's A/B test, in its order; empty without one"),
});

export type Overview = z.infer<typeof overviewSchema>;
export type Report = Omit<z.infer<typeof linkReportSchema>, "link" | "variants">;
