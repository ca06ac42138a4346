import type * as z from "zod";
import { abTest } from "./ab-test.ts";
import { active, disabled, expiry, fallback, limit, start } from "./availability.ts";
import { conditional } from "./conditional.ts";
import { geo } from "./geo.ts";
import { linkPreview } from "./link-preview.ts";
import { password } from "./password.ts";
import { forwardPath, forwardQuery, redirectStatus } from "./reshape.ts";
import type { Cached, ColumnType, OptionKind, RuleKind } from "./rule.ts";

/**
 * Every kind of rule, in the order in which rules decide. Inputs, answers, columns, the cached route, decisions and
 * explanations are all made from this list. The last ones do not decide, but reshape the redirect.
 */
export const optionKinds = [
  start,
  expiry,
  limit,
  linkPreview,
  password,
  conditional,
  geo,
  abTest,
  fallback,
  redirectStatus,
  forwardPath,
  forwardQuery,
] as const;
export const ruleKinds = [disabled, active, ...optionKinds] as const;

type Kind = (typeof ruleKinds)[number];
type Option = (typeof optionKinds)[number];
type ValueOf<K extends { type: unknown }> = K["type"] extends ColumnType<infer Value> ? Value : never;

/** The rules that decide where a link leads. */
export type RuleName = "blocked" | Kind["name"] | "destination";

/** The columns of a link that hold rules, as the ORM reads and writes them. */
export type RuleColumns = { [K in Kind as K["column"]]: ValueOf<K> };
/** The same as cached routes hold them. */
export type CachedRules = { [K in Kind as K["column"]]: Cached<ValueOf<K>> };
/** The columns of options; each is null if the link does not have that option. */
export type OptionColumns = Omit<RuleColumns, "disabled_at" | "is_active">;

/** The input fields of options, and their parsed values. */
type OptionInputs = { [K in Option as K["field"]]: K["input"] };
export type OptionInput = { [K in keyof OptionInputs]?: z.output<OptionInputs[K]> };
/** The fields of a link, as clients see it, that show its options. */
type OptionOutputs = { [K in Option as K["outputField"]]: K["output"] };
export type OptionOutput = { [K in keyof OptionOutputs]: z.input<OptionOutputs[K]> };

/** The lists without the types of each kind, for loops. */
export const anyRules: readonly RuleKind[] = ruleKinds;
export const allOptionKinds: readonly OptionKind[] = optionKinds;

export const optionInputs = Object.fromEntries(
  optionKinds.map(({ field, input }) => [field, input]),
) as OptionInputs;

export const optionOutputs = Object.fromEntries(
  optionKinds.map(({ outputField, output }) => [outputField, output]),
) as OptionOutputs;

/** The values of a link that is switched on and has no options. */
export const noRules = Object.fromEntries(
  ruleKinds.map(({ column }) => [column, column === active.column ? true : null]),
) as RuleColumns & CachedRules;
