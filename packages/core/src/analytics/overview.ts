import { accountProcedure } from "./call.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { reading } from "../rpc/call.ts";
import { findLink } from "../links/link.row.ts";
import { compare, linkId, type Question, questionFields, questionOf } from "./analytics.input.ts";
import { type Overview, overviewSchema } from "./analytics.schema.ts";
import { listsBy } from "./breakdowns.ts";
import { filterNote, groupBy } from "./filter.input.ts";
import { frame, report } from "./report.ts";
import { accountScope, linkScope } from "./question.ts";
import { windowsOf } from "./windows.ts";

/** Reports on all links of the account, or on one of them. For a plan without analytics, the report is empty. */
export const overview = accountProcedure
  .meta({
    scope: "analytics:read",
    openapi: {
      method: "GET",
      path: "/v1/analytics/overview",
      tags: ["Analytics"],
      summary: "Get the account's analytics",
      description: `On the Free plan the answer is locked: numbers are null and lists empty. ${filterNote}`,
      successDescription: "Totals, a time series, and breakdowns of the clicks",
      errors: [404],
    },
  })
  .input(fieldsOf({ ...questionFields, group_by: groupBy, compare, linkId }).prefault({}))
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
  ...frame(question, windowsOf(question, now.getTime()).window),
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
