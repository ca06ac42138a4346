import { isDeepStrictEqual } from "node:util";
import { timestamp as timestampOutput } from "../../kernel/validation/strings.ts";
import { timestamp } from "./columns.ts";
import { timeInput } from "../../kernel/validation/inputs.ts";
import { defineOption, passed } from "./rule.ts";

export const hasExpired = (expiresAt: number | null, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

/** A link expires at a given time. */
export const expiry = defineOption({
  name: "expired",
  column: "expires_at",
  type: timestamp,
  input: {
    name: "expires_at",
    schema: timeInput("From this time on the link answers 410. Needs the Pro plan").nullish(),
  },
  output: { name: "expires_at", schema: timestampOutput.nullable() },
  feature: "link_options",
  toValue: (input) => input,
  toOutput: (value) => value?.toISOString() ?? null,
  isUnchanged: (input, stored) => isDeepStrictEqual(input, stored),
  urlsIn: () => [],
  // The hot path compares the time itself, see isPlain.
  needsDecision: () => false,
  decidesAtOnce: true,
  decide: (expiresAt, { now }) => (hasExpired(expiresAt, now) ? { kind: "gone", reason: "expired" } : passed),
  sentence(expiresAt, verdict) {
    const end = new Date(expiresAt).toISOString();
    return verdict.kind === "passed" ? `It does not expire before ${end}.` : `It expired at ${end}.`;
  },
  unsetSentence: "It does not expire.",
});
