import * as z from "zod";
import { channels, otherReferrers } from "../clicks/derive/referrer.ts";
import { type Dimension, dimensions } from "../clicks/dimension-names.ts";
import { type ListedDimension, listedDimensions, type listNames } from "../clicks/dimensions.ts";
import { linkSchema } from "../links/link.schema.ts";
import { named, timestamp } from "../kernel/validation/strings.ts";
import { listsBy } from "./breakdowns/lists.ts";
import { granularities, periods } from "./question.ts";

const count = z.int().min(0);
const ratio = z.number().nullable().describe("0.5 means 50 % more; null if there were none before");
const listOf = <Name extends string>(name: Name) =>
  z.array(
    z.object({ [name]: z.string(), clicks: count } as { [key in Name]: z.ZodString } & {
      clicks: typeof count;
    }),
  );
const descriptions: { readonly [Name in ListedDimension]?: string } = {
  device: `Clicks by kind of device: "desktop", "mobile", "tablet", "tv", "console", "other" or "unknown"`,
  os: "Clicks by operating system, most clicks first",
  referrer: `The 100 with the most clicks, and "${otherReferrers}" for all others`,
  channel: `Clicks by channel, the kind of referrer: ${channels.map((name) => `"${name}"`).join(", ")}; "unknown" if raw clicks were deleted`,
};
const lists = listsBy((dimension) => {
  const description = descriptions[dimension];
  return description === undefined ? listOf(dimension) : listOf(dimension).describe(description);
}) as unknown as { [Name in ListedDimension as (typeof listNames)[Name]]: ReturnType<typeof listOf<Name>> };

const grouped = Object.fromEntries(dimensions.map((name) => [name, z.string().optional()])) as {
  [Name in Dimension]: z.ZodOptional<z.ZodString>;
};
const people = { clicks: count, visitors: count };

const group = z.object({
  ...grouped,
  ...people,
  previous: z.object(people).nullable().describe("Its counts in the previous window, if `compare` is true"),
});

const report = z.object({
  period: z.enum(periods).nullable().describe("Null if `from` was given"),
  granularity: z.enum(granularities).describe("Length of each row of the time series"),
  timezone: z.string().describe("Time zone of the hours, days, weeks and months"),
  from: timestamp,
  to: timestamp.describe("End, exclusive"),
  previous: z
    .object({ from: timestamp, to: timestamp, clicks: count, visitors: count })
    .nullable()
    .describe("The previous window, if `compare` is true"),
  change: z
    .object({
      clicks: ratio,
      visitors: ratio,
    })
    .nullable(),
  groups: z
    .array(group)
    .nullable()
    .describe(
      "Clicks for each value (or pair of values) of `group_by`, most clicks first; null without `group_by`",
    ),
  other_groups: z
    .object({
      groups: count.describe("Number of groups"),
      ...people,
    })
    .nullable()
    .describe("The sum of the groups that are not listed; null without `group_by`"),
  timeseries: z.array(z.object({ start: timestamp, clicks: count, visitors: count })),
  ...lists,
  bots_by: z
    .array(
      z.object({
        bot: z.string().describe('The kind of bot, such as "search"; "unknown" if raw clicks were deleted'),
        rule: z.string().describe("The program named in the user agent, or what else identified the bot"),
        clicks: count.describe("Visits by these bots"),
      }),
    )
    .describe("Visits by bots, by kind and by the rule that identified them; they add up to `bots`"),
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
    .describe("The 100 with the most clicks, including deleted links"),
});

const overviewFields = report.extend({
  locked: z.boolean().describe("True if the plan has no analytics: numbers are null and lists are empty"),
  clicks: count.nullable(),
  visitors: count.nullable(),
  bots: count.nullable(),
});

/** The analytics of an account; for a plan without analytics, only their window. */
export interface Overview extends z.infer<typeof overviewFields> {}
export const overviewSchema = named<Overview>("Overview", overviewFields);

const linkFields = report.extend({
  locked: z.literal(false),
  clicks: count,
  visitors: count,
  bots: count,
  link: linkSchema,
  variants: z
    .array(z.object({ url: z.string(), weight: z.int().min(1), clicks: count }))
    .describe("The variants of the link's A/B test, in order; empty if there is none"),
});

/** The analytics of one link. */
export interface LinkAnalytics extends z.infer<typeof linkFields> {}
export const linkAnalyticsSchema = named<LinkAnalytics>("LinkAnalytics", linkFields);

export type Report = Omit<LinkAnalytics, "link" | "variants">;

/** Raw clicks as clients see them: in the real-time feed and in webhooks. */

const labels = Object.fromEntries(listedDimensions.map((dimension) => [dimension, z.string()])) as Record<
  ListedDimension,
  z.ZodString
>;

const fields = z.object({
  id: z.string(),
  timestamp,
  link_id: z.string(),
  slug: z.string(),
  shortUrl: z.string(),
  ...labels,
});
export interface ListedClick extends z.infer<typeof fields> {}
export const listedClickSchema = named<ListedClick>("Click", fields);
