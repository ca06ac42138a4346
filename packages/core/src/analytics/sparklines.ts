import { accountProcedure } from "./call.ts";
import * as z from "zod";
import { dayMs, utcDate } from "../kernel/time.ts";
import { isId } from "../kernel/validation/ids.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { timestamp } from "../kernel/validation/strings.ts";

const days = 30;
const maxIds = 100;

/** Returns the daily clicks of several links at once, such as those of a page of a list. */
export const sparklines = accountProcedure
  .meta({
    scope: "analytics:read",
    openapi: {
      method: "GET",
      path: "/v1/analytics/sparklines",
      tags: ["Analytics"],
      summary: "Get the daily clicks of several links",
      description: "On the Free plan the answer is locked: `links` is empty.",
      successDescription: "For each link of the account, its clicks on each of the last 30 days",
    },
  })
  .input(
    fieldsOf({
      ids: z
        .array(z.string())
        .max(maxIds, `must name at most ${maxIds} links`)
        .default([])
        .describe(
          `Ids of at most ${maxIds} links; those that are not of the account are left out of the answer`,
        ),
    }).prefault({}),
  )
  .output(
    z.object({
      locked: z.boolean().describe("True if the plan has no analytics"),
      from: timestamp.describe("Start of the first day; days are UTC days"),
      to: timestamp.describe("End of the last day, which is today; not included"),
      links: z
        .array(
          z.object({
            id: z.string(),
            clicks: z.array(z.int().min(0)).describe("Clicks of each day, oldest first"),
          }),
        )
        .describe("Those of the links that are the account's"),
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
