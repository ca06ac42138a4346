import { refused } from "../kernel/validation/issues.ts";
import type { LinkDeps } from "./call.ts";
import * as z from "zod";
import { agentOf } from "../clicks/derive/derive.ts";
import { isLinkPreview } from "../clicks/derive/bot-class.ts";
import type { AssumedVisitor } from "../redirects/rules/rule.ts";
import { blockedHostOf, routeOf, screened } from "../redirects/route.ts";
import { countryInput } from "../redirects/rules/geo.ts";
import { timeInput } from "../kernel/validation/inputs.ts";
import { decide, type OnRule } from "../redirects/decide.ts";
import type { Decision, Visitor } from "../redirects/redirects.types.ts";
import { issueUnlockToken } from "../redirects/rules/password.ts";
import { ruleKinds, type RuleName } from "../redirects/rules/rules.ts";
import { type Step, step, stepCodes } from "../redirects/rules/step.ts";
import { sharesOf } from "../redirects/rules/ab-test.ts";
import { parseAddress } from "../kernel/addresses.ts";
import { blockedReason } from "../safety/screening/screening.ts";
import { textUpTo, timestamp } from "../kernel/validation/strings.ts";

/** Input fields that describe a visit. */
export const visitFields = {
  country: countryInput.optional(),
  at: timeInput("Time of the visit; default: now").optional(),
  path: textUpTo(4000).optional().describe("Path after the slug in the requested short URL, such as /a/b"),
  user_agent: textUpTo(1000).optional().describe("Without it, the visitor is assumed to be a person"),
  language: textUpTo(500)
    .optional()
    .describe("The visitor's Accept-Language header, such as de-AT,de;q=0.9, or a single language"),
  referrer: textUpTo(2000).optional().describe("URL or host of the page the visitor comes from"),
  query: textUpTo(8000).optional().describe("Query of the requested short URL, such as utm_source=mail"),
  ip: z
    .string()
    .refine(
      (text) => parseAddress(text) !== null,
      refused("invalid_format", "must be an IPv4 or IPv6 address, such as 192.0.2.1", {
        format: "ip_address",
        example: "192.0.2.1",
      }),
    )
    .meta({
      description: "The visitor's address, which also determines the country if that is missing",
      examples: ["192.0.2.1"],
    })
    .optional(),
  unlocked: z.boolean().default(false).describe("Whether the visitor has entered the link's password"),
};

type AssumedVisit = Partial<z.output<z.ZodObject<typeof visitFields>>> & {
  unlocked: boolean;
  /** Value of the visitor's cookie, which decides the variant of an A/B test */
  visitor?: string | undefined;
};

export const explanationSchema = z.object({
  at: timestamp,
  outcome: z.enum(["redirect", "link_preview", "password", "gone", "not_found"]),
  status: z.literal([200, 301, 302, 307, 308, 404, 410]).describe("The status of a GET"),
  rule: z
    .enum(["blocked", ...ruleKinds.map(({ name }) => name), "destination"] satisfies RuleName[])
    .describe("The rule that decided; rules are evaluated in this order"),
  location: z
    .string()
    .nullable()
    .describe(
      "Where the visit leads, including what the link forwards; null if nowhere, or if it depends on the visitor",
    ),
  variants: z
    .array(z.object({ url: z.string(), weight: z.int(), share: z.number() }))
    .nullable()
    .describe("If an A/B test decided: each variant's share of visitors, adding up to 1"),
  would_count: z
    .enum(["click", "bot", "fallback"])
    .nullable()
    .describe("A visit sent to the fallback URL counts as a fallback, or not at all if it is a bot's"),
  reasons: z.array(z.string()).describe("The explanation in sentences, one for each rule"),
  steps: z
    .array(
      z.object({
        code: z.enum(stepCodes).describe("What was decided"),
        params: z
          .record(z.string(), z.union([z.string(), z.number()]))
          .optional()
          .describe("The details of the code"),
      }),
    )
    .describe("The reasons as data, for translations"),
});
type Explanation = z.infer<typeof explanationSchema>;

const outcomes = {
  redirect: { outcome: "redirect", status: 302 },
  link_preview: { outcome: "link_preview", status: 200 },
  password: { outcome: "password", status: 200 },
  gone: { outcome: "gone", status: 410 },
  not_found: { outcome: "not_found", status: 404 },
} as const satisfies Partial<Record<Decision["kind"], Pick<Explanation, "outcome" | "status">>>;

/** The options by which a link decides, stored or not. */
type ExplainedLink = Parameters<typeof routeOf>[0] & { click_count?: number };

/** Explains what a visitor would get, and why, by the function that redirects. Counts nothing. */
export async function explainVisit(
  deps: Pick<LinkDeps, "clock" | "hostLists" | "locator">,
  link: ExplainedLink,
  visit: AssumedVisit,
): Promise<Explanation> {
  const at = visit.at ?? deps.clock();
  const { password_hash } = link;
  const country = visit.country ?? (visit.ip === undefined ? null : deps.locator.countryOf("", visit.ip));
  const visitor: Visitor = {
    country: () => country,
    id: () => visit.visitor ?? "",
    language: () => visit.language ?? "",
    referrer: () => refererOf(visit.referrer ?? ""),
    query: () => (visit.query ?? "").replace(/^\?/, ""),
    agent: () => agentOf(visit.user_agent ?? ""),
    address: () => visit.ip ?? "",
    path: visit.path === undefined || visit.path.startsWith("/") ? visit.path : `/${visit.path}`,
    isLinkPreview: () => visit.user_agent !== undefined && isLinkPreview(visit.user_agent),
    unlock_token:
      visit.unlocked && password_hash ? issueUnlockToken(password_hash, link.id, at.getTime()) : undefined,
  };
  // The clicks so far decide, whatever the time of the visit: later ones are unknown.
  const { click_count = 0, click_limit } = link;
  const isUsedUp = () => click_limit != null && click_count >= click_limit;
  const assumed: AssumedVisitor = {
    country,
    id: visit.visitor ?? null,
    visit: { link_id: link.id, now: at.getTime(), visitor, isUsedUp },
  };
  const steps: Step[] = [];
  let rule: RuleName = "destination";
  const { hostLists } = deps;
  const route = screened(routeOf(link), hostLists);
  const blockedHost = blockedHostOf(route, hostLists);
  if (blockedHost !== null) {
    rule = "blocked";
    steps.push(step("blocked", `It ${blockedReason(blockedHost)}.`, { host: blockedHost }));
  }
  const onRule: OnRule = (kind, value, verdict) => {
    if (verdict !== null && value !== null)
      steps.push(...[kind.explain(value as {}, verdict, assumed)].flat());
    else if (kind.unset) steps.push(kind.unset);
    if (verdict !== null && verdict.kind !== "passed") rule = kind.name as RuleName;
  };
  const decision = await decide(route, at.getTime(), visitor, onRule, isUsedUp);
  if (!(decision.kind in outcomes)) throw new Error(`A link of an account answered ${decision.kind}`);
  if (rule === "destination")
    steps.push(step("destination", "No other rule applies, so it leads to its destination."));

  const variant = decision.kind === "redirect" ? decision.variant : null;
  const isKnown = variant === null || visit.visitor !== undefined;
  const would_count = countedAs(decision, visit.user_agent);
  steps.push(counting[would_count ?? "none"]);
  return {
    at: at.toISOString(),
    ...outcomes[decision.kind as keyof typeof outcomes],
    ...(decision.kind === "redirect" && decision.status !== undefined && { status: decision.status }),
    rule,
    location: decision.kind === "redirect" && isKnown ? decision.location : null,
    variants: variant === null || !link.ab_test ? null : sharesOf(link.ab_test),
    would_count,
    reasons: steps.map(({ message }) => message),
    steps: steps.map(({ code, params }) => ({ code, ...(params && { params }) })),
  };
}

const counting = {
  click: step("counts_click", "The visit would be counted as a click."),
  bot: step("counts_bot", "The visit would be counted as a bot's: no browser identifies itself like that."),
  fallback: step("counts_fallback", "The visit would be counted as a fallback, not as a click."),
  none: step("counts_nothing", "Nothing would be counted."),
};

function countedAs(decision: Decision, userAgent: string | undefined) {
  if (decision.kind === "link_preview") return "bot";
  if (decision.kind !== "redirect") return null;
  const isBot = userAgent !== undefined && agentOf(userAgent).bot;
  if (decision.counts_as === "fallback") return isBot ? null : "fallback";
  return isBot ? "bot" : "click";
}

/** A bare host stands for a page there. */
const refererOf = (text: string) => (text === "" || text.includes("://") ? text : `https://${text}/`);
