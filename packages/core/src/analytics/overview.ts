import * as z from "zod";
import { findLink } from "../links/index.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { compare, linkId, period } from "./analytics.input.ts";
import { type Overview, overviewSchema } from "./analytics.schema.ts";
import { listsBy } from "./breakdowns.ts";
import { windowOf } from "./periods.ts";
import { frame, type Question, report } from "./report.ts";
import { accountScope, linkScope } from "./series.ts";
import { timeZone } from "./time-zone.ts";

/** Reports on all links of the account, or on one of them. For a plan without analytics, the report is empty. */
export const overview = accountProcedure
  .meta({
    scope: "analytics:read",
    openapi: {
      method: "GET",
      path: "/v1/analytics/overview",
      tags: ["Analytics"],
      summary: "Get the account's analytics",
      description: "On the Free plan the answer is locked: numbers are null and lists empty.",
      successDescription: "Totals, a time series, and breakdowns of the clicks",
      errors: [404],
    },
  })
  .input(z.object({ period, compare, linkId, tz: timeZone }).prefault({}))
  .output(overviewSchema)
  .query(async ({ ctx, input }) => {
    const { deps, account } = ctx;
    const { linkId: id } = input;
    if (id !== undefined) await findLink(ctx, id);
    if (!deps.plans[account.plan].features.analytics) return locked(input, deps.clock());
    const scope = id === undefined ? accountScope(account.id) : linkScope(id, account.id);
    return (await report(deps, scope, input)).report;
  });

const locked = (question: Question, now: Date): Overview => ({
  ...frame(question, windowOf(question.period, question.tz, now.getTime())),
  locked: true,
  clicks: null,
  visitors: null,
  bots: null,
  previous: null,
  change: null,
  timeseries: [],
  ...listsBy(() => []),
  top_links: [],
});
