import * as z from "zod";
import { parseAgent } from "../clicks/index.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import {
  type AssumedVisitor,
  blockedHostOf,
  countryInput,
  decide,
  type Decision,
  issueUnlockToken,
  routeOf,
  ruleKinds,
  type RuleName,
  screened,
  sharesOf,
  timeInput,
  type Visitor,
} from "../redirects/index.ts";
import { blockedReason } from "../screening/index.ts";
import { textUpTo, timestamp } from "../validation/strings.ts";
import { findLink } from "./find.ts";

const fields = z.object({
  id: z.string(),
  country: countryInput.optional(),
  at: timeInput("Time of the visit; now if missing").optional(),
  user_agent: textUpTo(1000).optional().describe("If missing, the visit is assumed to be a person's"),
  visitor: textUpTo(100)
    .optional()
    .describe("Value of the visitor's cookie terse_visitor, which decides the variant of an A/B test"),
  unlocked: z.boolean().default(false).describe("Whether the visitor has entered the link's password"),
});

const answer = z.object({
  at: timestamp,
  outcome: z.enum(["redirect", "password", "gone"]),
  status: z.union([z.literal(200), z.literal(302), z.literal(410)]).describe("What a GET answers"),
  rule: z
    .enum(["blocked", ...ruleKinds.map(({ name }) => name), "destination"] satisfies RuleName[])
    .describe("The rule that decided; rules are evaluated in this order"),
  location: z.string().nullable().describe("Null if there is none, or if it depends on the visitor"),
  variants: z
    .array(z.object({ url: z.string(), weight: z.int(), share: z.number() }))
    .nullable()
    .describe("If an A/B test decided: the share of visitors for each variant; shares add up to 1"),
  would_count: z.enum(["click", "bot"]).nullable(),
  reasons: z.array(z.string()).describe("The explanation in sentences, one for each rule"),
});
type Answer = z.infer<typeof answer>;

const outcomes = {
  redirect: { outcome: "redirect", status: 302 },
  password: { outcome: "password", status: 200 },
  gone: { outcome: "gone", status: 410 },
} as const satisfies Partial<Record<Decision["kind"], Pick<Answer, "outcome" | "status">>>;

/** Explains what a visitor of a link would get, and why, with the function that redirects. Counts nothing. */
export const explainLink = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links/{id}/explain",
      tags: ["Links"],
      summary: "Explain where a link leads",
      description: "What a visitor would get, which rule decides, and why. Nothing is counted.",
      successDescription: "The outcome and its reasons",
      errors: [404],
    },
  })
  .input(fields)
  .output(answer)
  .query(async ({ ctx, input }) => {
    const link = await findLink(ctx, input.id);
    const at = input.at ?? ctx.deps.clock();
    const { password_hash } = link;
    const visitor: Visitor = {
      country: () => input.country ?? null,
      id: () => input.visitor ?? "",
      unlock_token:
        input.unlocked && password_hash ? issueUnlockToken(password_hash, link.id, at.getTime()) : undefined,
    };
    const assumed: AssumedVisitor = { country: input.country ?? null, id: input.visitor ?? null };
    const reasons: string[] = [];
    let rule: RuleName = "destination";
    const { hostLists } = ctx.deps;
    const route = screened(routeOf(link), hostLists);
    const blockedHost = blockedHostOf(route, hostLists);
    if (blockedHost !== null) {
      rule = "blocked";
      reasons.push(`It ${blockedReason(blockedHost)}.`);
    }
    const decision = await decide(route, at.getTime(), visitor, (kind, value, verdict) => {
      if (verdict !== null && value !== null) reasons.push(kind.sentence(value as {}, verdict, assumed));
      else if (kind.unsetSentence) reasons.push(kind.unsetSentence);
      if (verdict !== null && verdict.kind !== "passed") rule = kind.name as RuleName;
    });
    if (!(decision.kind in outcomes)) throw new Error(`A link of an account answered ${decision.kind}`);
    if (rule === "destination") reasons.push("No other rule applies, so it leads to its destination.");

    const variant = decision.kind === "redirect" ? decision.variant : null;
    const isKnown = variant === null || input.visitor !== undefined;
    const would_count = decision.kind === "redirect" ? countedAs(input.user_agent) : null;
    return {
      at: at.toISOString(),
      ...outcomes[decision.kind as keyof typeof outcomes],
      rule,
      location: decision.kind === "redirect" && isKnown ? decision.location : null,
      variants: variant === null || !link.ab_test ? null : sharesOf(link.ab_test),
      would_count,
      reasons: [...reasons, counting[would_count ?? "none"]],
    };
  });

const counting = {
  click: "The visit would be counted as a click.",
  bot: "The visit would be counted as a bot's: no browser identifies itself like that.",
  none: "Nothing would be counted.",
};

const countedAs = (userAgent: string | undefined) =>
  userAgent !== undefined && parseAgent(userAgent).bot ? "bot" : "click";
