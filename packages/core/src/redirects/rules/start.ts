import { isDeepStrictEqual } from "node:util";
import { timestamp as timestampOutput } from "../../kernel/validation/strings.ts";
import { timestamp } from "./columns.ts";
import { timeInput } from "../../kernel/validation/inputs.ts";
import { defineOption, passed } from "./rule.ts";

/** A link begins to work at a given time. Before, it looks like one that does not exist. */
export const start = defineOption({
  name: "scheduled",
  column: "starts_at",
  type: timestamp,
  input: {
    name: "starts_at",
    schema: timeInput("Before this time the link answers 404. Needs the Pro plan").nullish(),
  },
  output: { name: "starts_at", schema: timestampOutput.nullable() },
  feature: "link_options",
  toValue: (input) => input,
  toOutput: (value) => value?.toISOString() ?? null,
  isUnchanged: (input, stored) => isDeepStrictEqual(input, stored),
  urlsIn: () => [],
  needsDecision: (startsAt) => startsAt !== null,
  decide: (startsAt, { now }) => (now < startsAt ? { kind: "not_found" } : passed),
  sentence(startsAt, verdict) {
    const begin = new Date(startsAt).toISOString();
    return verdict.kind === "passed" ? `It works since ${begin}.` : `It does not work before ${begin}.`;
  },
});
