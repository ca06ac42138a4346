import * as z from "zod";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { line } from "../../kernel/validation/strings.ts";
import { urlInput } from "../destination.ts";
import type { Test } from "./conditions/condition.ts";
import { kindsByName, whenInput, whenOutput } from "./conditions/conditions.ts";
import { Facts } from "./conditions/facts.ts";
import { defineOption, json, passed, redirectTo, type Visit } from "./rule.ts";
import { step } from "./step.ts";

const maxRules = 50;

const ruleInput = fieldsOf({
  when: whenInput,
  url: urlInput,
  name: line(100)
    .min(1, "must not be empty")
    .exactOptional()
    .describe("A name for yourself; visitors do not see it"),
});
const ruleOutput = z.object({ when: whenOutput, url: z.string(), name: z.string().exactOptional() }).meta({
  examples: [
    { when: { device: ["mobile"], language: ["de"] }, url: "https://example.com/de/app", name: "App" },
  ],
});

/** Visitors for whom every condition holds are sent elsewhere. The first such rule of a link decides. */
export type LinkRule = z.infer<typeof ruleOutput>;

/** Visitors for whom all conditions of a rule hold are sent to its URL. */
export const conditional = defineOption({
  name: "rules",
  column: "rules",
  type: json<LinkRule[]>(),
  input: z
    .array(ruleInput)
    .max(maxRules, `must have at most ${maxRules} rules`)
    .describe("The first rule whose conditions all hold decides. Needs the Pro plan")
    .nullish(),
  output: z.array(ruleOutput),
  toValue: (rules) => (rules.length > 0 ? rules : null),
  toOutput: (rules) => rules ?? [],
  urlsIn: (rules) => rules.map(({ url }, at) => [`rules.${at}.url`, url]),
  decidesAtOnce: true,
  decide(rules, visit) {
    const at = ruleFor(rules, visit);
    return at === -1 ? passed : redirectTo(visit, (rules[at] as LinkRule).url);
  },
  explain(rules, verdict, { visit }) {
    const at = ruleFor(rules, visit);
    const facts = new Facts(visit, compiled(rules).languages);
    const skipped = rules.slice(0, at === -1 ? rules.length : at).map((rule, position) => {
      const [condition, why] = whyNot(rule, facts);
      const message = `${nameOf(rule, position)} does not apply: ${why}.`;
      return step("rule_skipped", message, { ...paramsOf(rule, position), condition });
    });
    if (verdict.kind === "passed") return skipped;
    const rule = rules[at] as LinkRule;
    const decides = `${nameOf(rule, at)} decides: all of its conditions hold.`;
    return [...skipped, step("rule", decides, paramsOf(rule, at))];
  },
});

const nameOf = ({ name }: LinkRule, position: number) =>
  name === undefined ? `Rule ${position + 1}` : `Rule ${position + 1} (${name})`;

const paramsOf = ({ name }: LinkRule, position: number) => ({
  rule: position + 1,
  ...(name !== undefined && { name }),
});

/** The rules of a link, prepared for many visits. */
interface Compiled {
  /** The conditions of each rule */
  tests: readonly (readonly Test[])[];
  /** Every language that a rule names, in lower case */
  languages: ReadonlySet<string>;
}

/** By the list that a cached route holds, so that they are dropped together. */
const prepared = new WeakMap<readonly LinkRule[], Compiled>();

function compiled(rules: readonly LinkRule[]): Compiled {
  const known = prepared.get(rules);
  if (known !== undefined) return known;
  const fresh: Compiled = {
    tests: rules.map(({ when }) =>
      Object.entries(when).map(([name, value]) => compile(name, value as never)),
    ),
    languages: new Set(rules.flatMap(({ when }) => when.language ?? []).map((tag) => tag.toLowerCase())),
  };
  prepared.set(rules, fresh);
  return fresh;
}

/** A condition known only to a later version does not hold. */
const compile = (name: string, value: never): Test => kindsByName.get(name)?.compile(value) ?? (() => false);

/** The position of the first rule whose conditions all hold; -1 if there is none. */
function ruleFor(rules: readonly LinkRule[], visit: Visit): number {
  const { tests, languages } = compiled(rules);
  const facts = new Facts(visit, languages);
  return tests.findIndex((conditions) => conditions.every((test) => test(facts)));
}

/** Why a rule does not apply: the first of its conditions that does not hold, in the order of the kinds. */
function whyNot({ when }: LinkRule, facts: Facts): [condition: string, why: string] {
  for (const [name, kind] of kindsByName) {
    const value = when[name as keyof typeof when] as never;
    if (value !== undefined && !kind.compile(value)(facts)) return [name, kind.whyNot(value, facts)];
  }
  return ["", "this version does not know one of its conditions"];
}
