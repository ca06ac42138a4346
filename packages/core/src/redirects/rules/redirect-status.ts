import * as z from "zod";
import type { RedirectStatus } from "../redirects.types.ts";
import { integer } from "./columns.ts";
import { defineOption, passed } from "./rule.ts";

const statuses = [301, 302, 307, 308] as const satisfies RedirectStatus[];

/** What each status says; browsers may remember the permanent ones, and keep the method with the last two. */
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
  input: {
    name: "redirect_status",
    schema: z
      .literal(statuses, "must be 301, 302, 307 or 308")
      .describe(
        "Status of the redirect; 302 by default. 301 and 308 tell search engines and programs that the address is final, 307 and 308 keep method and body of a request. Every visit still asks Terse: all of them are sent with Cache-Control: no-store",
      )
      .nullish(),
  },
  output: { name: "redirect_status", schema: z.literal(statuses) },
  feature: null,
  toValue: (status) => (status === 302 ? null : status),
  toOutput: (status) => (status ?? 302) as RedirectStatus,
  isUnchanged: (input, stored) => input === (stored ?? 302),
  urlsIn: () => [],
  needsDecision: (status) => status !== null,
  decidesAtOnce: true,
  decide: () => passed,
  reshape: (status, redirect) => ({ ...redirect, status: status as RedirectStatus }),
  sentence: (status) => `It answers ${status}: ${meanings[status as RedirectStatus]}.`,
});
