/** Names that are stored and never change: pure, since browsers use it, too. */

/** Plans from the smallest to the largest; each includes the ones before it. */
export const planNames = ["free", "pro", "enterprise"] as const;
export type Plan = (typeof planNames)[number];

/** The address of the account that a service's first start creates. It receives no mail: providers that claim it are refused. */
export const ownerEmail = "owner@terse.local";

/** What an API key can be limited to. */
export const scopes = [
  "links:read",
  "links:write",
  "analytics:read",
  "domains",
  "buckets",
  "keys",
  "account",
  "webhooks",
  "members",
] as const;
export type Scope = (typeof scopes)[number];
