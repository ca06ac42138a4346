import * as z from "zod";
import { timeInput, whole } from "../../kernel/validation/inputs.ts";
import { countOf } from "../../kernel/text.ts";
import { timestamp as timestampOutput } from "../../kernel/validation/strings.ts";
import { urlInput } from "../destination.ts";
import { boolean, defineOption, defineRule, integer, passed, text, timestamp } from "./rule.ts";
import { step } from "./step.ts";

/** The rules that say whether a link works at all, and where visitors are sent while it does not. */

/** An operator can disable a link; its owner cannot enable it again. */
export const disabled = defineRule({
  name: "disabled",
  column: "disabled_at",
  type: timestamp,
  decidesAtOnce: true,
  decide: () => ({ kind: "gone", reason: "disabled" }),
  explain: () => step("disabled", "The operator of this service disabled the link."),
});

/** A link can be switched off. Not an option: every link has the field, and new links are active. */
export const active = defineRule({
  name: "inactive",
  column: "is_active",
  type: boolean,
  needsDecision: (isActive) => !isActive,
  decidesAtOnce: true,
  decide: (isActive) => (isActive ? passed : { kind: "gone", reason: "inactive" }),
  explain: (isActive) =>
    isActive
      ? step("switched_on", "The link is switched on.")
      : step("switched_off", "The link is switched off."),
});

export const isActiveInput = z
  .union([z.literal(0), z.literal(1), z.boolean()], "must be 0 or 1")
  .describe("0 makes the link answer 410");

export const isActiveOutput = z.union([z.literal(0), z.literal(1)]);

/** The common part of the two rules with a time. */
const atTime = {
  type: timestamp,
  output: timestampOutput.nullable(),
  toValue: (input: Date) => input,
  toOutput: (value: Date | null) => value?.toISOString() ?? null,
} as const;

/** A link begins to work at a given time. Before, it looks like one that does not exist. */
export const start = defineOption({
  name: "scheduled",
  column: "starts_at",
  ...atTime,
  input: timeInput("Before this time the link answers 404. Needs the Pro plan").nullish(),
  decide: (startsAt, { now }) => (now < startsAt ? { kind: "not_found" } : passed),
  explain(startsAt, verdict) {
    const time = new Date(startsAt).toISOString();
    return verdict.kind === "passed"
      ? step("started", `It works since ${time}.`, { time })
      : step("not_started", `It does not work before ${time}.`, { time });
  },
});

export const hasExpired = (expiresAt: number | null, now: number): boolean =>
  expiresAt !== null && expiresAt <= now;

/** A link expires at a given time. */
export const expiry = defineOption({
  name: "expired",
  column: "expires_at",
  ...atTime,
  input: timeInput("From this time on the link answers 410. Needs the Pro plan").nullish(),
  // The hot path compares the time itself, see isPlain.
  needsDecision: () => false,
  decidesAtOnce: true,
  decide: (expiresAt, { now }) => (hasExpired(expiresAt, now) ? { kind: "gone", reason: "expired" } : passed),
  explain(expiresAt, verdict) {
    const time = new Date(expiresAt).toISOString();
    return verdict.kind === "passed"
      ? step("not_expired", `It does not expire before ${time}.`, { time })
      : step("expired", `It expired at ${time}.`, { time });
  },
  unset: step("never_expires", "It does not expire."),
});

/** A link works for a number of clicks. A person who follows it takes one afterwards, see `decideLimited`. */
export const limit = defineOption({
  name: "used_up",
  column: "click_limit",
  type: integer,
  input: whole(1, 1_000_000_000)
    .describe(
      "After this many clicks the link answers 410. Exact; bots, previews and HEAD requests do not count. Needs the Pro plan",
    )
    .nullish(),
  output: z.int().min(1).nullable(),
  toValue: (input) => input,
  toOutput: (value) => value,
  decide: async (_, { isUsedUp }) => ((await isUsedUp()) ? { kind: "gone", reason: "used_up" } : passed),
  explain: (clicks, verdict) =>
    verdict.kind === "passed"
      ? step("clicks_left", `It has not reached its limit of ${countOf(clicks, "click")}.`, { clicks })
      : step("used_up", `It has reached its limit of ${countOf(clicks, "click")}.`, { clicks }),
});

/** Where visitors are sent while the link's own settings keep it from working, instead of a page that says so. */
export const fallback = defineOption({
  name: "fallback",
  column: "fallback_url",
  type: text,
  input: urlInput
    .describe(
      "Where visitors are sent while the link is switched off, not yet started, expired or at its click limit. Needs the Pro plan",
    )
    .nullish(),
  output: z.string().nullable(),
  toValue: (input) => input,
  toOutput: (value) => value,
  urlsIn: (url) => [["fallback_url", url]],
  instead(location, decision, { link_id }) {
    // Of the rules, only `starts_at` finds nothing.
    const isOwn =
      decision.kind === "not_found" || (decision.kind === "gone" && ownReasons.has(decision.reason));
    return isOwn ? { kind: "redirect", link_id, location, variant: null, counts_as: "fallback" } : null;
  },
  explain: (url, verdict) =>
    verdict.kind === "passed"
      ? step("fallback_unused", "It works, so its fallback URL is not used.")
      : step("fallback", `Visitors are sent to its fallback URL, ${url}, instead.`, { url }),
});

/** The owner's decisions. A link that the operator disabled, or that leads to a blocked host, has no fallback. */
const ownReasons: ReadonlySet<string> = new Set(["inactive", "expired", "used_up"]);
