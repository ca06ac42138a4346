import * as z from "zod";
import { withPath } from "../forward.ts";
import { flag } from "./columns.ts";
import { defineOption, passed } from "./rule.ts";

/** What follows the slug in the path of a visit is added to where the link leads. Other links answer 404 there. */
export const forwardPath = defineOption({
  name: "forward_path",
  column: "forward_path",
  type: flag,
  input: {
    name: "forward_path",
    schema: z
      .boolean()
      .describe(
        "Adds what follows the slug, as in /slug/a/b, to the path of where the link leads; false by default",
      )
      .nullish(),
  },
  output: { name: "forward_path", schema: z.boolean() },
  feature: null,
  toValue: (isOn) => (isOn ? true : null),
  toOutput: (isOn) => isOn ?? false,
  isUnchanged: (input, stored) => input === (stored ?? false),
  urlsIn: () => [],
  needsDecision: (isOn) => isOn !== null,
  decidesAtOnce: true,
  decide: () => passed,
  reshape(_, redirect, { visitor }) {
    const location = withPath(redirect.location, visitor.path ?? "");
    return location === null ? { kind: "not_found" } : { ...redirect, location };
  },
  sentence(isOn, verdict) {
    if (!isOn) return "The link does not forward paths, so it answers at its own path only.";
    return verdict.kind === "not_found"
      ? "The path after the slug is too long, or might lead out of the destination's path."
      : "The path after the slug is added to that of the destination.";
  },
});
