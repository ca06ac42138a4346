import { refused } from "../../../kernel/validation/issues.ts";
import * as z from "zod";
import type { Facts } from "./facts.ts";

/** A condition, prepared for many visits. Pure. */
export type Test = (facts: Facts) => boolean;

/** One kind of condition of a link's rules; `Name` is its field in `when`. */
export interface ConditionKind<Name extends string = string, Output extends z.ZodType = z.ZodType<never>> {
  readonly name: Name;
  /** For those who read the API's documentation */
  readonly description: string;
  readonly input: z.ZodType<z.output<Output>>;
  readonly output: Output;
  /** Called once for each cached route, so that parsing a value costs nothing on a visit. */
  compile(value: z.output<Output>): Test;
  /** Explains to the link's owner why the condition does not hold, after "Rule 1 does not apply: ". */
  whyNot(value: z.output<Output>, facts: Facts): string;
}

/** Infers the types of a kind. */
export const defineCondition = <const Name extends string, Output extends z.ZodType>(
  kind: ConditionKind<Name, Output>,
): ConditionKind<Name, Output> => kind;

/** A kind of condition that one fact is among the names of a list. `word` names it to the owner. */
export const oneAmong = <const Name extends string, Output extends z.ZodType<readonly string[]>>({
  word,
  factOf,
  ...kind
}: Pick<ConditionKind<Name, Output>, "name" | "description" | "input" | "output"> & {
  word: string;
  factOf: (facts: Facts) => string | null;
}) =>
  defineCondition({
    ...kind,
    compile(wanted) {
      const set: ReadonlySet<string | null> = new Set(wanted);
      return (facts) => set.has(factOf(facts));
    },
    whyNot(wanted, facts) {
      const found = factOf(facts);
      return found === null
        ? `the visitor's ${word} is not known`
        : `the visitor's ${word} is ${found}, not ${anyOf(wanted)}`;
    },
  });

/** The longest list of alternatives that a sentence repeats. */
const maxListed = 5;

/** "DE, FR or NL"; of a long list the beginning. */
export function anyOf(words: readonly string[]): string {
  const alternatives = new Intl.ListFormat("en-GB", { type: "disjunction" });
  if (words.length <= maxListed) return alternatives.format(words);
  return alternatives.format([...words.slice(0, maxListed), `${words.length - maxListed} others`]);
}

/** A list of alternatives, without repetitions. */
export const listOf = <Item extends z.ZodType<string>>(item: Item, max: number) =>
  z
    .array(item)
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} entries`)
    .refine((items) => new Set(items).size === items.length, refused("duplicate", "must name each one once"));

/** One of these names in upper or lower case; the output is spelt as in the list. */
export function namedIn<Name extends string>(names: readonly Name[], example: Name) {
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  return z
    .string()
    .meta({ examples: [example] })
    .transform((text, ctx): Name => {
      const name = byLowerCase.get(text.trim().toLowerCase());
      if (name !== undefined) return name;
      ctx.addIssue(refused("invalid_choice", `must be ${oneOfFew(names, example)}`, { choices: names }));
      return z.NEVER;
    });
}

/** A sentence has room for a few dozen short names. */
const oneOfFew = (names: readonly string[], example: string) =>
  names.length <= 30 ? `one of ${names.join(", ")}` : `a name that analytics use, such as ${example}`;
