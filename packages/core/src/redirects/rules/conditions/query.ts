import * as z from "zod";
import { fieldsOf } from "../../../kernel/validation/inputs.ts";
import { textUpTo } from "../../../kernel/validation/strings.ts";
import { defineCondition } from "./condition.ts";
import type { Facts } from "./facts.ts";

/** Other text than this never comes out of a decoded query, and PostgreSQL cannot store NUL. */
const decodedText = (max: number) =>
  textUpTo(max).refine(
    (text) => text.isWellFormed() && !text.includes("\0"),
    "must not contain NUL or half a character (a lone surrogate)",
  );

const nameMeaning = "Name of the parameter";
const valueMeaning = "Left out: any value. null: the parameter must be missing";

export const query = defineCondition({
  name: "query",
  description: "Parameters of the requested URL, all of which must be as described",
  input: z
    .array(
      fieldsOf({
        name: decodedText(100).min(1, "must not be empty").describe(nameMeaning),
        value: decodedText(500).nullable().exactOptional().describe(valueMeaning),
      }),
    )
    .min(1, "must not be empty")
    .max(10, "must have at most 10 entries"),
  output: z.array(
    z.object({
      name: z.string().describe(nameMeaning),
      value: z.string().nullable().exactOptional().describe(valueMeaning),
    }),
  ),
  compile: (wanted) => (facts) => wanted.every((each) => holds(each, facts.query)),
  miss(wanted, facts) {
    const { name = "", value } = wanted.find((each) => !holds(each, facts.query)) ?? {};
    if (value === null) return `the visit has the parameter "${name}"`;
    if (value === undefined || !facts.query.has(name)) return `the visit has no parameter "${name}"`;
    return `the parameter "${name}" of the visit is not "${value}"`;
  },
});

/** Of a parameter that is there several times, one has to have the value. */
function holds(
  { name, value }: { name: string; value?: string | null },
  parameters: Facts["query"],
): boolean {
  if (value === null) return !parameters.has(name);
  return value === undefined ? parameters.has(name) : parameters.has(name, value);
}
