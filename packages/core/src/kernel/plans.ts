import { refusal } from "./errors.ts";
import { type Plan, planNames } from "./names.ts";

/** Features that depend on the plan. */
export const features = [
  "custom_domains",
  "link_options",
  "analytics",
  "realtime",
  "export",
  "buckets",
  "mcp",
  "api_keys",
  "webhooks",
] as const;
export type Feature = (typeof features)[number];

/** Limits that are the same on all plans. */
export const linksPerBucket = 10;
export const keysPerAccount = 100;
export const webhooksPerAccount = 10;
export const sharedReportsPerAccount = 100;
export const alertsPerAccount = 100;

export interface PlanRow {
  title: string;
  features: Record<Feature, boolean>;
  limits: {
    /** Links that an account can create per minute */
    link_creations_per_minute: number;
    custom_domains: number;
    /** Members of a workspace, with open invitations; null for no limit */
    members: number | null;
    /** Links that an account can have; null for no limit */
    links: number | null;
    /** Megabytes (10^6 bytes) for an account's links and buckets, including what is kept of deleted ones */
    stored_megabytes: number;
  };
}
/** What each plan includes, and the limit of callers without an account. */
export type PlanTable = Record<Plan, PlanRow> & { anonymous_creations_per_minute: number };

export interface PlanOptions {
  /** The smallest plan that manages API keys; the endpoint table says Enterprise, the developer overview Pro. */
  apiKeysPlan?: "pro" | "enterprise";
  /** Link creations a minute */
  rateLimits?: Partial<Record<"anonymous" | Plan, number>>;
  /** Links that an account on the Free plan may have; default 1000 */
  freeLinks?: number;
  /** Custom domains; default 1 */
  domains?: Partial<Record<"pro" | "enterprise", number>>;
  /** Members of a workspace; default 1, 10 and no limit */
  members?: Partial<Record<Plan, number | null>>;
  /** Megabytes for the links of an account; default 10, 1,000 and 10,000 */
  storedMegabytes?: Partial<Record<Plan, number>>;
}

const every = (isIncluded: boolean) =>
  Object.fromEntries(features.map((feature) => [feature, isIncluded])) as Record<Feature, boolean>;

/** Creates the table of features and limits by plan. */
export function createPlanTable({
  apiKeysPlan = "enterprise",
  rateLimits = {},
  freeLinks = 1000,
  storedMegabytes = {},
  domains = {},
  members = {},
}: PlanOptions = {}): PlanTable {
  return {
    anonymous_creations_per_minute: rateLimits.anonymous ?? 10,
    free: {
      title: "Free",
      features: every(false),
      limits: {
        custom_domains: 0,
        members: members.free ?? 1,
        link_creations_per_minute: rateLimits.free ?? 60,
        links: freeLinks,
        stored_megabytes: storedMegabytes.free ?? 10,
      },
    },
    pro: {
      title: "Pro",
      features: { ...every(true), api_keys: apiKeysPlan === "pro" },
      limits: {
        custom_domains: domains.pro ?? 1,
        members: members.pro ?? 10,
        link_creations_per_minute: rateLimits.pro ?? 600,
        links: null,
        stored_megabytes: storedMegabytes.pro ?? 1000,
      },
    },
    enterprise: {
      title: "Enterprise",
      features: every(true),
      limits: {
        custom_domains: domains.enterprise ?? 1,
        members: members.enterprise ?? null,
        link_creations_per_minute: rateLimits.enterprise ?? 6000,
        links: null,
        stored_megabytes: storedMegabytes.enterprise ?? 10_000,
      },
    },
  };
}

/** The smallest plan that has a feature. */
export function planWith(table: PlanTable, feature: Feature): Plan {
  return planNames.find((plan) => table[plan].features[feature]) ?? "enterprise";
}

/** The next larger plan; null for the largest. */
export const largerPlan = (plan: Plan): Plan | null => planNames[planNames.indexOf(plan) + 1] ?? null;

/** The error text for a feature that the plan does not include: "Pro plan required". */
export const planRequired = (table: PlanTable, feature: Feature): string =>
  `${table[planWith(table, feature)].title} plan required`;

/** Throws 403 unless the plan has the feature, which `fields` need; a caller without an account has no plan. */
export function requireFeature(
  table: PlanTable,
  plan: Plan | null,
  feature: Feature,
  fields?: readonly string[],
): void {
  if (plan && table[plan].features[feature]) return;
  const params = { plan: planWith(table, feature), feature, ...(fields && { fields }) };
  throw refusal("FORBIDDEN", "", "plan_required", planRequired(table, feature), params);
}
