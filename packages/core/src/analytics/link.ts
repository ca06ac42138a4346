import { accountProcedure } from "./call.ts";
import * as z from "zod";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { reading } from "../rpc/call.ts";
import { findLink, toLink } from "../links/link.row.ts";
import { compare, questionFields, questionOf } from "./analytics.input.ts";
import { linkAnalyticsSchema } from "./analytics.schema.ts";
import { filterNote, groupBy } from "./filter.input.ts";
import { report } from "./report.ts";
import { linkScope } from "./question.ts";

/** Reports on one link, including the variants of its A/B test. */
export const linkAnalytics = accountProcedure
  .meta({
    scope: "analytics:read",
    openapi: {
      method: "GET",
      path: "/v1/analytics/link/{id}",
      tags: ["Analytics"],
      summary: "Get a link's analytics",
      description: filterNote,
      successDescription: "Totals, a time series, and breakdowns of the clicks",
      errors: [404],
    },
  })
  .input(fieldsOf({ id: z.string(), ...questionFields, group_by: groupBy, compare }))
  .output(linkAnalyticsSchema)
  .query(async ({ ctx, input: { id, ...input } }) => {
    const question = questionOf(input);
    const link = await toLink(ctx, await findLink(ctx, id));
    const scope = linkScope(id, ctx.account.id);
    const { report: figures, variants } = await report(reading(ctx).deps, scope, question);
    return {
      ...figures,
      locked: false as const,
      link,
      variants: (link.ab_test?.variants ?? []).map((variant, at) => ({
        ...variant,
        clicks: variants.get(String(at)) ?? 0,
      })),
    };
  });
