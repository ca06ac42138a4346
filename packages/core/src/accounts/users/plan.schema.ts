import * as z from "zod";
import { planNames } from "../../kernel/plan-names.ts";
import { features } from "../../kernel/plans.ts";
import { named } from "../../kernel/validation/outputs.ts";

const count = z.int().min(0);

const planRow = z.object({
  name: z.enum(planNames).describe("The plan as `plan` names it"),
  title: z.string().describe("The plan's name for people"),
  features: z.array(z.enum(features)).describe("What the plan includes"),
  limits: z.object({
    link_creations_per_minute: count,
    links: count.nullable().describe("Links that an account may have; null for any number"),
    stored_megabytes: z
      .number()
      .min(0)
      .describe("Megabytes (10^6 bytes) that links and buckets may take, with what is kept of deleted ones"),
    custom_domains: count,
    api_keys: count,
    links_per_bucket: count,
  }),
});

const fields = z.object({
  plan: z.enum(planNames).describe("The account's plan, one of `plans`"),
  used: z
    .object({
      links: count.describe("Links that the account has"),
      stored_bytes: count,
    })
    .nullable()
    .describe("What the account uses; null while it is being measured, a second for a million links"),
  plans: z.array(planRow).describe("All plans of the service, from the smallest to the largest"),
});

/** What the plan of an account allows, what it uses of it, and what other plans allow. */
export interface PlanOverview extends z.infer<typeof fields> {}
export const planSchema = named<PlanOverview>("PlanOverview", fields);
