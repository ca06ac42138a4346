import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { line } from "../../kernel/validation/strings.ts";
import type { LinkRule } from "../redirects.types.ts";
import { json } from "./columns.ts";
import { Facts } from "./conditions/facts.ts";
import { whenInput, whenOutput } from "./conditions/conditions.ts";
import { compiled, missOf, ruleFor } from "./conditions/match.ts";
import { urlInput } from "./inputs.ts";
import { defineOption, passed, redirectTo } from "./rule.ts";

const maxRules = 50;

const ruleInput = fieldsOf({
  when: whenInput,
  url: urlInput,
  name: line(100)
    .min(1, "must not be empty")
    .exactOptional()
    .describe("For yourself; visitors do not see it"),
});
const ruleOutput = z.object({ when: whenOutput, url: z.string(), name: z.string().exactOptional() }).meta({
  examples: [
    { when: { device: ["mobile"], language: ["de"] }, url: "https://example.com/de/app", name: "App" },
  ],
});

/** Visitors for whom all conditions of a rule hold are sent to its URL. */
export const conditional = defineOption({
  name: "rules",
  column: "rules",
  type: json<LinkRule[]>(),
  input: {
    name: "rules",
    schema: z
      .array(ruleInput)
      .max(maxRules, `must have at most ${maxRules} rules`)
      .describe("The first rule whose conditions all hold decides. Needs the Pro plan")
      .nullish(),
  },
  output: { name: "rules", schema: z.array(ruleOutput) },
  feature: "link_options",
  toValue: (rules) => (rules.length > 0 ? rules : null),
  toOutput: (rules) => rules ?? [],
  isUnchanged: (input, stored) => isDeepStrictEqual(input, stored),
  urlsIn: (rules) => rules.map(({ url }, at) => [`rules.${at}.url`, url]),
  needsDecision: (rules) => rules !== null,
  decidesAtOnce: true,
  // What a visit compiles takes about five times the text, as measured.
  bytesCached: (rules) => JSON.stringify(rules).length * 5,
  decide(rules, visit) {
    const at = ruleFor(rules, visit);
    return at === -1 ? passed : redirectTo(visit, (rules[at] as LinkRule).url);
  },
  sentence(rules, verdict, { visit }) {
    const at = ruleFor(rules, visit);
    const facts = new Facts(visit, compiled(rules).languages);
    const misses = rules
      .slice(0, at === -1 ? rules.length : at)
      .map((rule, place) => `${nameOf(rule, place)} does not apply: ${missOf(rule, facts)}.`);
    return verdict.kind === "passed"
      ? misses
      : [...misses, `${nameOf(rules[at] as LinkRule, at)} decides: all of its conditions hold.`];
  },
});

const nameOf = ({ name }: LinkRule, place: number) =>
  name === undefined ? `Rule ${place + 1}` : `Rule ${place + 1} (${name})`;
