import { timestamp } from "./columns.ts";
import { defineRule, passed } from "./rule.ts";

/** An operator can disable a link; its owner cannot enable it again. */
export const disabled = defineRule({
  name: "disabled",
  column: "disabled_at",
  type: timestamp,
  needsDecision: (disabledAt) => disabledAt !== null,
  decidesAtOnce: true,
  decide: (disabledAt) => (disabledAt === null ? passed : { kind: "gone", reason: "disabled" }),
  sentence: () => "The operator of this service disabled the link.",
});
