import * as z from "zod";
import { parseAgent } from "../clicks/index.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import {
  decide,
  issueUnlockToken,
  type Rule,
  toRoute,
  type AbTest,
  type Decision,
  type Visitor,
} from "../redirects/index.ts";
import { textUpTo, timestamp } from "../validation/strings.ts";
import { findLink } from "./find.ts";
import { countryInput, timeInput } from "./link.input.ts";

const fields = z.object({
  id: z.string(),
  country: countryInput.optional(),
  at: timeInput("When the visitor comes; now where it is missing").optional(),
  user_agent: textUpTo(1000).optional().describe("A person's browser where it is missing"),
  visitor: textUpTo(100).optional().describe("The visitor's cookie terse_visitor, which A/B tests go by"),
  unlocked: z.boolean().default(false).describe("Whether the visitor has given the link's password"),
});

const answer = z.object({
  at: timestamp,
  outcome: z.enum(["redirect", "password", "gone"]),
  status: z.union([z.literal(200), z.literal(302), z.literal(410)]).describe("What a GET answers"),
  rule: z
    .enum(["inactive", "expired", "password", "geo", "ab_test", "destination"])
    .describe("What decided; rules are looked at in this order"),
  location: z.string().nullable().describe("Null where there is none, and where it depends on the visitor"),
  variants: z
    .array(z.object({ url: z.string(), weight: z.int(), share: z.number() }))
    .nullable()
    .describe("Where an A/B test decided: how visitors are shared out; shares add up to 1"),
  would_count: z.enum(["click", "bot"]).nullable(),
  reasons: z.array(z.string()).describe("The same in sentences, rule by rule"),
});
type Answer = z.infer<typeof answer>;

const outcomes = {
  redirect: { outcome: "redirect", status: 302 },
  password: { outcome: "password", status: 200 },
  gone: { outcome: "gone", status: 410 },
} as const satisfies Partial<Record<Decision["kind"], Pick<Answer, "outcome" | "status">>>;

/** Says what a visitor of a link would get, and why, by asking the very function that redirects. Counts nothing. */
export const explainLink = accountProcedure
  .meta({
    openapi: {
      method: "GET",
      path: "/v1/links/{id}/explain",
      tags: ["Links"],
      summary: "Explain where a link leads",
      description: "What a visitor would get, which rule decides, and why. Nothing is counted.",
      successDescription: "The outcome, and the reasons for it",
      errors: [404],
    },
  })
  .input(fields)
  .output(answer)
  .query(async ({ ctx, input }) => {
    const link = await findLink(ctx, input.id);
    const at = input.at ?? ctx.deps.clock();
    const { is_active, password_hash = null, geo_rules = null, ab_test = null } = link;
    const visitor: Visitor = {
      country: () => input.country ?? null,
      id: () => input.visitor ?? "",
      unlock_token:
        input.unlocked && password_hash !== null
          ? issueUnlockToken(password_hash, link.id, at.getTime())
          : undefined,
    };
    const steps: Step[] = [];
    const row = { id: link.id, destination: link.destination, is_active, password_hash, geo_rules, ab_test };
    const route = toRoute({ ...row, expires_at: link.expires_at?.getTime() ?? null });
    const decision = await decide(route, at.getTime(), visitor, (rule, decided) =>
      steps.push({ rule, decided }),
    );
    if (!(decision.kind in outcomes)) throw new Error(`A link of an account answered ${decision.kind}`);

    const { rule } = steps.at(-1) as Step;
    const variant = decision.kind === "redirect" ? decision.variant : null;
    const isKnown = variant === null || input.visitor !== undefined;
    const would_count = decision.kind === "redirect" ? countedAs(input.user_agent) : null;
    const facts = { ...input, expires_at: link.expires_at ?? null, variant: isKnown ? variant : null };
    return {
      at: at.toISOString(),
      ...outcomes[decision.kind as keyof typeof outcomes],
      rule,
      location: decision.kind === "redirect" && isKnown ? decision.location : null,
      variants: variant === null ? null : sharesOf(ab_test),
      would_count,
      reasons: [
        ...steps.map((step) => sentences[step.rule](step.decided, facts)),
        counting[would_count ?? "none"],
      ],
    };
  });

interface Step {
  rule: Rule;
  decided: boolean;
}
interface Facts {
  country?: string | undefined;
  expires_at: Date | null;
  variant: number | null;
}

const sentences: Record<Rule, (decided: boolean, facts: Facts) => string> = {
  inactive: (decided) => (decided ? "The link is switched off." : "The link is switched on."),
  expired(decided, { expires_at }) {
    if (expires_at === null) return "It does not expire.";
    const end = expires_at.toISOString();
    return decided ? `It expired at ${end}.` : `It does not expire before ${end}.`;
  },
  password: (decided) =>
    decided ? "It asks for its password first and reveals nothing until then." : "Its password was given.",
  geo(decided, { country }) {
    if (country === undefined) return "The visitor's country is not known, so no country rule applies.";
    return decided ? `Its rule for ${country} decides.` : `None of its country rules is for ${country}.`;
  },
  ab_test: (_, { variant }) =>
    variant === null
      ? "Its A/B test decides: each visitor keeps the variant that the visitor's cookie leads to."
      : `Its A/B test decides: this visitor keeps variant ${variant + 1}.`,
  destination: () => "No other rule applies, so it leads to its destination.",
};

const counting = {
  click: "The visit would be counted as a click.",
  bot: "The visit would be counted as a bot's: no browser identifies itself like that.",
  none: "Nothing would be counted.",
};

const countedAs = (userAgent: string | undefined) =>
  userAgent !== undefined && parseAgent(userAgent).bot ? "bot" : "click";

function sharesOf(test: AbTest | null): Answer["variants"] {
  const variants = test?.variants ?? [];
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  return variants.map(({ url, weight }) => ({ url, weight, share: weight / total }));
}
