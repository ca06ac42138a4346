import { isDeepStrictEqual } from "node:util";
import type { Call } from "../rpc/procedure.ts";
import { planOf } from "../kernel/context.ts";
import { demand } from "../kernel/plans.ts";
import { hashPassword } from "../crypto/password-hash.ts";
import type { AbTest, GeoRule } from "../redirects/index.ts";
import { optionInputs } from "./link.input.ts";

/** The fields of a link beyond the plain ones, parsed. Undefined leaves a field as it is, null clears it. */
export interface LinkOptions {
  url?: string | undefined;
  password?: string | null | undefined;
  expires_at?: Date | null | undefined;
  geo_rules?: GeoRule[] | null | undefined;
  ab_test?: AbTest | null | undefined;
}

const paid = Object.keys(optionInputs) as (keyof typeof optionInputs)[];

/**
 * Throws 403 where the caller's plan does not include the options that it sets. Clearing them is free, and so is what is
 * `stored` already: it came with a larger plan, or was sent back as it was read.
 */
export function demandOptions(ctx: Call, options: LinkOptions, stored: LinkOptions = {}): void {
  const isNew = (field: (typeof paid)[number]) =>
    isSet(options[field]) && !isDeepStrictEqual(options[field], stored[field]);
  if (paid.some(isNew)) demand(ctx.deps.plans, planOf(ctx.actor), "link_options");
}

const isSet = (value: unknown) => value != null && !(Array.isArray(value) && value.length === 0);

/** Every URL that the options send visitors to, with the name of its field. */
export function destinationsOf({
  url,
  geo_rules,
  ab_test,
}: LinkOptions): (readonly [field: string, url: string])[] {
  return [
    ...(url ? [["url", url] as const] : []),
    ...(geo_rules ?? []).map((rule, at) => [`geo_rules.${at}.url`, rule.url] as const),
    ...(ab_test?.variants ?? []).map((variant, at) => [`ab_test.variants.${at}.url`, variant.url] as const),
  ];
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
