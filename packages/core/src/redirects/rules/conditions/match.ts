import type { LinkRule } from "../../redirects.types.ts";
import type { Visit } from "../rule.ts";
import type { Test } from "./condition.ts";
import { Facts } from "./facts.ts";
import { kindsByName } from "./conditions.ts";

/** The rules of a link, prepared for many visits. */
interface Compiled {
  /** The conditions of each rule */
  tests: readonly (readonly Test[])[];
  /** Every language that a rule names, in lower case */
  languages: ReadonlySet<string>;
}

/** By the list that a cached route holds, so that they are dropped together. */
const prepared = new WeakMap<readonly LinkRule[], Compiled>();

export function compiled(rules: readonly LinkRule[]): Compiled {
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

/** A condition that only a later version knows does not hold. */
const compile = (name: string, value: never): Test => kindsByName.get(name)?.compile(value) ?? (() => false);

/** The place of the first rule whose conditions all hold; -1 if there is none. */
export function ruleFor(rules: readonly LinkRule[], visit: Visit): number {
  const { tests, languages } = compiled(rules);
  const facts = new Facts(visit, languages);
  return tests.findIndex((conditions) => conditions.every((test) => test(facts)));
}

/** Why a rule does not apply: the first of its conditions that does not hold, in the order of the kinds. */
export function missOf({ when }: LinkRule, facts: Facts): string {
  for (const [name, kind] of kindsByName) {
    const value = when[name as keyof typeof when] as never;
    if (value !== undefined && !kind.compile(value)(facts)) return kind.miss(value, facts);
  }
  return "this version does not know one of its conditions";
}
