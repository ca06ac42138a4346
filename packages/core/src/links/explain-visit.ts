import * as z from "zod";
import { parseAgent } from "../clicks/index.ts";
import type { Deps } from "../deps.ts";
import {
  type AssumedVisitor,
  blockedHostOf,
  countryInput,
  decide,
  type Decision,
  issueUnlockToken,
  routeOf,
  ruleKinds,
  type OnRule,
  type RuleName,
  screened,
  sharesOf,
  timeInput,
  type Visitor,
} from "../redirects/index.ts";
import { blockedReason } from "../screening/index.ts";
import { textUpTo, timestamp } from "../validation/strings.ts";

/** Input fields that describe a visit. */
export const visitFields = {
  country: countryInput.optional(),
  at: timeInput("Time of the visit; now if missing").optional(),
  user_agent: textUpTo(1000).optional().describe("If missing, the visit is assumed to be a person's"),
  unlocked: z.boolean().default(false).describe("Whether the visitor has entered the link's password"),
};

interface AssumedVisit {
  country?: string | undefined;
  at?: Date | undefined;
  user_agent?: string | undefined;
  unlocked: boolean;
  /** Value of the visitor's cookie, which decides the variant of an A/B test */
  visitor?: string | undefined;
}

export const explanationSchema = z.object({
  at: timestamp,
  outcome: z.enum(["redirect", "password", "gone", "not_found"]),
  status: z
    .union([z.literal(200), z.literal(302), z.literal(404), z.literal(410)])
    .describe("What a GET answers"),
  rule: z
    .enum(["blocked", ...ruleKinds.map(({ name }) => name), "destination"] satisfies RuleName[])
    .describe("The rule that decided; rules are evaluated in this order"),
  location: z.string().nullable().describe("Null if there is none, or if it depends on the visitor"),
  variants: z
    .array(z.object({ url: z.string(), weight: z.int(), share: z.number() }))
    .nullable()
    .describe("If an A/B test decided: the share of visitors for each variant; shares add up to 1"),
  would_count: z
    .enum(["click", "bot", "fallback"])
    .nullable()
    .describe("A visit that is sent to the fallback URL counts as a fallback; a bot's is not counted then"),
  reasons: z.array(z.string()).describe("The explanation in sentences, one for each rule"),
});
type Explanation = z.infer<typeof explanationSchema>;

const outcomes = {
  redirect: { outcome: "redirect", status: 302 },
  password: { outcome: "password", status: 200 },
  gone: { outcome: "gone", status: 410 },
  not_found: { outcome: "not_found", status: 404 },
} as const satisfies Partial<Record<Decision["kind"], Pick<Explanation, "outcome" | "status">>>;

/** What a link decides by, whether it is stored or not. */
type ExplainedLink = Parameters<typeof routeOf>[0] & { click_count?: number };

/** Explains what a visitor would get, and why, with the function that redirects. Counts nothing. */
export async function explainVisit(
  deps: Pick<Deps, "clock" | "hostLists">,
  link: ExplainedLink,
  visit: AssumedVisit,
): Promise<Explanation> {
  const at = visit.at ?? deps.clock();
  const { password_hash } = link;
  const visitor: Visitor = {
    country: () => visit.country ?? null,
    id: () => visit.visitor ?? "",
    unlock_token:
      visit.unlocked && password_hash ? issueUnlockToken(password_hash, link.id, at.getTime()) : undefined,
  };
  const assumed: AssumedVisitor = { country: visit.country ?? null, id: visit.visitor ?? null };
  const reasons: string[] = [];
  let rule: RuleName = "destination";
  const { hostLists } = deps;
  const route = screened(routeOf(link), hostLists);
  const blockedHost = blockedHostOf(route, hostLists);
  if (blockedHost !== null) {
    rule = "blocked";
    reasons.push(`It ${blockedReason(blockedHost)}.`);
  }
  const onRule: OnRule = (kind, value, verdict) => {
    if (verdict !== null && value !== null) reasons.push(kind.sentence(value as {}, verdict, assumed));
    else if (kind.unsetSentence) reasons.push(kind.unsetSentence);
    if (verdict !== null && verdict.kind !== "passed") rule = kind.name as RuleName;
  };
  // What was clicked by now decides, whatever the time of the visit: nobody knows the clicks until then.
  const { click_count = 0, click_limit } = link;
  const isUsedUp = () => click_limit != null && click_count >= click_limit;
  const decision = await decide(route, at.getTime(), visitor, onRule, isUsedUp);
  if (!(decision.kind in outcomes)) throw new Error(`A link of an account answered ${decision.kind}`);
  if (rule === "destination") reasons.push("No other rule applies, so it leads to its destination.");

  const variant = decision.kind === "redirect" ? decision.variant : null;
  const isKnown = variant === null || visit.visitor !== undefined;
  const would_count = decision.kind === "redirect" ? countedAs(decision, visit.user_agent) : null;
  return {
    at: at.toISOString(),
    ...outcomes[decision.kind as keyof typeof outcomes],
    rule,
    location: decision.kind === "redirect" && isKnown ? decision.location : null,
    variants: variant === null || !link.ab_test ? null : sharesOf(link.ab_test),
    would_count,
    reasons: [...reasons, counting[would_count ?? "none"]],
  };
}

const counting = {
  click: "The visit would be counted as a click.",
  bot: "The visit would be counted as a bot's: no browser identifies itself like that.",
  fallback: "The visit would be counted as a fallback, not as a click.",
  none: "Nothing would be counted.",
};

function countedAs({ counts_as }: Decision & { kind: "redirect" }, userAgent: string | undefined) {
  const isBot = userAgent !== undefined && parseAgent(userAgent).bot;
  if (counts_as === "fallback") return isBot ? null : "fallback";
  return isBot ? "bot" : "click";
}
