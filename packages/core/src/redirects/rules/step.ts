/** What an answer of `explain` says of each rule, as data: sentences in other languages are made from it. */

export const stepCodes = [
  "blocked",
  "disabled",
  "switched_on",
  "switched_off",
  "started",
  "not_started",
  "never_expires",
  "not_expired",
  "expired",
  "clicks_left",
  "used_up",
  "fallback_unused",
  "fallback",
  "preview_unused",
  "preview",
  "password_given",
  "password",
  "rule_skipped",
  "rule",
  "country_unknown",
  "no_country_rule",
  "country_rule",
  "ab_test",
  "ab_variant",
  "status",
  "path_not_forwarded",
  "path_refused",
  "path_added",
  "query_too_long",
  "query_added",
  "destination",
  "counts_click",
  "counts_bot",
  "counts_fallback",
  "counts_nothing",
] as const;
export type StepCode = (typeof stepCodes)[number];

/** One sentence of an explanation. */
export interface Step {
  readonly code: StepCode;
  readonly message: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

export const step = (code: StepCode, message: string, params?: Step["params"]): Step =>
  params === undefined ? { code, message } : { code, message, params };
