import * as z from "zod";
import { findLink, toLink } from "../links/index.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { compare, period } from "./analytics.input.ts";
import { linkAnalyticsSchema } from "./analytics.schema.ts";
import { report } from "./report.ts";
import { linkScope } from "./series.ts";
import { timeZone } from "./time-zone.ts";

/** How one link does; its A/B test's variants, too. */
export const linkAnalytics = accountProcedure
  .meta({
    openapi: {
      method: "GET",
      path: "/v1/analytics/link/{id}",
      tags: ["Analytics"],
      summary: "Get a link's analytics",
      successDescription: "Totals, their rows in time, and what is known of the clicks",
      errors: [404],
    },
  })
  .input(z.object({ id: z.string(), period, compare, tz: timeZone }))
  .output(linkAnalyticsSchema)
  .query(async ({ ctx, input: { id, ...question } }) => {
    const link = await toLink(ctx, await findLink(ctx, id));
    const owner = linkScope(id, ctx.account.id);
    const { report: figures, variants } = await report(ctx.deps, owner, question);
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
