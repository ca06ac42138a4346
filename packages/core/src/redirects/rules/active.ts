import * as z from "zod";
import { boolean } from "./columns.ts";
import { defineRule, passed } from "./rule.ts";

/** A link can be switched off. Its field is part of every link, and is no option: links are created switched on. */
export const active = defineRule({
  name: "inactive",
  column: "is_active",
  type: boolean,
  needsDecision: (isActive) => !isActive,
  decide: (isActive) => (isActive ? passed : { kind: "gone", reason: "inactive" }),
  sentence: (isActive) => (isActive ? "The link is switched on." : "The link is switched off."),
});

export const isActiveInput = z
  .union([z.literal(0), z.literal(1), z.boolean()], "must be 0 or 1")
  .describe("0 makes the link answer 410");

export const isActiveOutput = z.union([z.literal(0), z.literal(1)]);
