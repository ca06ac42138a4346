import { accountProcedure } from "../call.ts";
import { planNames } from "../../kernel/plan-names.ts";
import { features, keysPerAccount, linksPerBucket, type PlanTable } from "../../kernel/plans.ts";
import { type PlanOverview, planSchema } from "./plan.schema.ts";

/** Returns what the account's plan allows and what the account uses of it. */
export const plan = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "GET",
      path: "/v1/me/plan",
      tags: ["Account"],
      summary: "Get the plan",
      description: "What the plan allows, what the account uses of it, and what other plans allow.",
      successDescription: "The plan, the use, and all plans",
    },
  })
  .output(planSchema)
  .query(async ({ ctx: { account, deps } }) => {
    const used = await deps.storage.used(account.id);
    return {
      plan: account.plan,
      used: used && { links: used.links, stored_bytes: used.bytes },
      plans: rowsOf(deps.plans),
    };
  });

const rowsOf = (table: PlanTable): PlanOverview["plans"] =>
  planNames.map((name) => {
    const { title, features: included, limits } = table[name];
    return {
      name,
      title,
      features: features.filter((feature) => included[feature]),
      limits: { ...limits, api_keys: keysPerAccount, links_per_bucket: linksPerBucket },
    };
  });
