import * as z from "zod";

/** A list of alternatives, without repetitions. */
export const listOf = <Item extends z.ZodType<string>>(item: Item, max: number) =>
  z
    .array(item)
    .min(1, "must not be empty")
    .max(max, `must have at most ${max} entries`)
    .refine((items) => new Set(items).size === items.length, "must name each one once");

/** One of these names in upper or lower case; the output is spelt as in the list. */
export function namedIn<Name extends string>(names: readonly Name[], example: Name) {
  const byLowerCase = new Map(names.map((name) => [name.toLowerCase(), name]));
  return z
    .string()
    .meta({ examples: [example] })
    .transform((text, ctx): Name => {
      const name = byLowerCase.get(text.trim().toLowerCase());
      if (name !== undefined) return name;
      ctx.addIssue({ code: "custom", message: `must be ${oneOfFew(names, example)}` });
      return z.NEVER;
    });
}

/** A sentence has room for a few dozen short names. */
const oneOfFew = (names: readonly string[], example: string) =>
  names.length <= 30 ? `one of ${names.join(", ")}` : `a name that analytics use, such as ${example}`;
