import type { Call } from "../call.ts";
import { planOf } from "../context.ts";
import { refuseLoops } from "../domains/index.ts";
import { demand } from "../plans.ts";
import type { AbTest, GeoRule } from "./link.entity.ts";
import { hashPassword } from "./password.ts";

/** The fields of a link beyond the plain ones, parsed. Undefined leaves a field as it is, null clears it. */
export interface LinkOptions {
  url?: string | undefined;
  password?: string | null | undefined;
  expires_at?: Date | null | undefined;
  geo_rules?: GeoRule[] | null | undefined;
  ab_test?: AbTest | null | undefined;
}

const paid = ["password", "expires_at", "geo_rules", "ab_test"] as const;

/** What a caller may not do with the options it sends: 403 by plan (clearing is free), 400 for a loop. */
export async function checkOptions(ctx: Call, options: LinkOptions): Promise<void> {
  if (paid.some((field) => options[field] != null)) demand(ctx.deps.plans, planOf(ctx.actor), "link_options");
  await refuseLoops(ctx.deps, [
    ...(options.url ? [["url", options.url] as const] : []),
    ...(options.geo_rules ?? []).map(({ url }, at) => [`geo_rules.${at}.url`, url] as const),
    ...(options.ab_test?.variants ?? []).map(({ url }, at) => [`ab_test.variants.${at}.url`, url] as const),
  ]);
}

/** The columns that the given options change. */
export async function columnsOf(options: LinkOptions) {
  const { password, expires_at, geo_rules, ab_test } = options;
  return {
    ...(password !== undefined && { password_hash: password === null ? null : await hashPassword(password) }),
    ...(expires_at !== undefined && { expires_at }),
    ...(geo_rules !== undefined && { geo_rules: geo_rules?.length ? geo_rules : null }),
    ...(ab_test !== undefined && { ab_test }),
  };
}
