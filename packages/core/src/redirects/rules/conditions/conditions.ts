import { refused } from "../../../kernel/validation/issues.ts";
import * as z from "zod";
import { fieldsOf } from "../../../kernel/validation/inputs.ts";
import { browser, device, language, os } from "./agent.ts";
import type { ConditionKind } from "./condition.ts";
import { continent, country, ip } from "./place.ts";
import { query, referrer } from "./request.ts";
import { after, before, weekly } from "./time.ts";

/** Every kind of condition. Inputs, answers, decisions and explanations of `when` are made from this list. */
const conditionKinds = [
  country,
  continent,
  language,
  device,
  os,
  browser,
  referrer,
  query,
  ip,
  after,
  before,
  weekly,
] as const;

type Kind = (typeof conditionKinds)[number];
/** The fields of `when`, each with its schema for input or output. */
type Fields<Part extends "input" | "output"> = { [K in Kind as K["name"]]: z.ZodExactOptional<K[Part]> };

const fieldsWith = <Part extends "input" | "output">(part: Part) =>
  Object.fromEntries(
    conditionKinds.map((kind) => [kind.name, kind[part].describe(kind.description).exactOptional()]),
  ) as Fields<Part>;

/** Every kind by its name. A value that a later version stored may be of another kind. */
export const kindsByName: ReadonlyMap<string, ConditionKind> = new Map<string, ConditionKind>(
  conditionKinds.map((kind) => [kind.name, kind as unknown as ConditionKind]),
);

export const whenInput = fieldsOf(fieldsWith("input"))
  .refine(
    (when) => Object.values(when).some((value) => value !== undefined),
    refused("too_few", "must have at least one condition", { min: 1 }),
  )
  .refine(({ after: from, before: until }) => !from || !until || from < until, {
    path: ["before"],
    ...refused("too_early", "must be later than after", { than: "after" }),
  })
  .describe("Conditions that must all hold");

export const whenOutput = z.object(fieldsWith("output")).describe("Conditions that must all hold");

/**
 * At least one condition. Lists are alternatives, except for `query`, of which all must hold. Countries are in upper case, hosts in
 * lower case; the end of a time is not included.
 */
export type Conditions = z.infer<typeof whenOutput>;
