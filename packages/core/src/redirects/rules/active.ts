import * as z from "zod";
import { boolean } from "./columns.ts";
import { defineRule, passed } from "./rule.ts";

/** A link can be switched off. Not an option: every link has the field, and new links are active. */
export const active = defineRule({
  name: "inactive",
  column: "is_active",
  type: boolean,
  needsDecision: (isActive) => !isActive,
  decidesAtOnce: true,
  decide: (isActive) => (isActive ? passed : { kind: "gone", reason: "inactive" }),
  sentence: (isActive) => (isActive ? "The link is switched on." : "The link is switched off."),
});

export const isActiveInput = z
  .union([z.literal(0), z.literal(1), z.boolean()], "must be 0 or 1")
  .describe("0 makes the link answer 410");

export const isActiveOutput = z.union([z.literal(0), z.literal(1)]);
