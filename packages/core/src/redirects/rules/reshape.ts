import * as z from "zod";
import { oneOf } from "../../kernel/validation/inputs.ts";
import { maxForwarded, type QueryMode, queryModes, withPath, withQuery } from "../forward.ts";
import type { RedirectStatus } from "../redirects.types.ts";
import { defineOption, flag, integer, text } from "./rule.ts";
import { step } from "./step.ts";

/** The rules that decide nothing, but change the redirect that was decided. */

const statuses = [301, 302, 307, 308] as const satisfies RedirectStatus[];

/** The meaning of each status; browsers may remember the permanent ones, and keep the method with the last two. */
const meanings: Record<RedirectStatus, string> = {
  301: "moved permanently",
  302: "found elsewhere for now",
  307: "elsewhere for now, with the method of the request",
  308: "moved permanently, with the method of the request",
};

/** A link answers with a status of its own. */
export const redirectStatus = defineOption({
  name: "redirect_status",
  column: "redirect_status",
  type: integer,
  input: z
    .literal(statuses, "must be 301, 302, 307 or 308")
    .describe(
      "Status of the redirect; 302 by default. 301 and 308 tell search engines and programs that the address is permanent; 307 and 308 keep the request's method and body. Every visit still reaches Terse, since all of them are sent with Cache-Control: no-store",
    )
    .nullish(),
  output: z.literal(statuses),
  isInEveryPlan: true,
  toValue: (status) => (status === 302 ? null : status),
  toOutput: (status) => (status ?? 302) as RedirectStatus,
  decidesAtOnce: true,
  reshape: (status, redirect) => ({ ...redirect, status: status as RedirectStatus }),
  explain: (status) =>
    step("status", `It answers ${status}: ${meanings[status as RedirectStatus]}.`, { status }),
});

/** Appends the path after the slug to the destination. Other links answer 404 there. */
export const forwardPath = defineOption({
  name: "forward_path",
  column: "forward_path",
  type: flag,
  input: z
    .boolean()
    .describe("Appends what follows the slug, as in /slug/a/b, to the destination's path; false by default")
    .nullish(),
  output: z.boolean(),
  isInEveryPlan: true,
  toValue: (isOn) => (isOn ? true : null),
  toOutput: (isOn) => isOn ?? false,
  decidesAtOnce: true,
  reshape(_, redirect, { visitor }) {
    const location = withPath(redirect.location, visitor.path ?? "");
    return location === null ? { kind: "not_found" } : { ...redirect, location };
  },
  explain(isOn, verdict) {
    if (!isOn)
      return step(
        "path_not_forwarded",
        "The link does not forward paths, so it answers at its own path only.",
      );
    return verdict.kind === "not_found"
      ? step(
          "path_refused",
          "The path after the slug is too long, or might lead out of the destination's path.",
        )
      : step("path_added", "The path after the slug is added to that of the destination.");
  },
});

/** Adds the query of a visit to the destination. */
export const forwardQuery = defineOption({
  name: "forward_query",
  column: "forward_query",
  type: text,
  input: oneOf(queryModes)
    .describe(
      "Adds the visit's query to the destination. If both have a parameter, keep takes the destination's and override the visit's; none by default",
    )
    .nullish(),
  output: z.enum(queryModes),
  isInEveryPlan: true,
  toValue: (mode) => (mode === "none" ? null : mode),
  toOutput: (mode) => (mode as QueryMode | null) ?? "none",
  decidesAtOnce: true,
  reshape(mode, redirect, { visitor }) {
    const location = withQuery(redirect.location, visitor.query?.() ?? "", mode as QueryMode);
    return location === null ? redirect : { ...redirect, location };
  },
  explain(mode, _, { visit }) {
    if (withQuery("", visit.visitor.query?.() ?? "", mode as QueryMode) === null) {
      const message = `The query of the visit has more than ${maxForwarded} characters and is left out.`;
      return step("query_too_long", message, { max: maxForwarded });
    }
    const winner = mode === "keep" ? "destination" : "visit";
    const message = `The query of the visit is added; if both have a parameter, the ${winner}'s is kept.`;
    return step("query_added", message, { winner });
  },
});
