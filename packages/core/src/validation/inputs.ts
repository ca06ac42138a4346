import * as z from "zod";

/** A whole number, refused in the same sentence whatever is wrong with it. */
export const whole = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.int(error).min(least, error).max(most, error);
};

/** One of a few words; the refusal lists them. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(", ")}` });

/** The fields of an input. One that is not among them is refused: a typo that is ignored looks like a change that worked. */
export function fieldsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `${nameOf(issue.keys)}: no such field; the known ones are ${known}`
        : undefined,
  });
}

/** What a change takes besides its fields, for transports that describe it. */
export interface RoundTripFields {
  /** The fields that other names stand for */
  readonly aliases: Readonly<Record<string, string>>;
  /** Names of the answer's fields that cannot be changed, and are ignored */
  readonly ignored: readonly string[];
}
export const roundTripFields = z.registry<RoundTripFields>();

/**
 * The fields of a change. What else stands in `answer` is read-only and left out, so that what was read can be sent back
 * whole; a field with an alias there, such as `destination` for `url`, is taken from it where it has no value itself.
 */
export function changesOf<Shape extends z.ZodRawShape>(
  shape: Shape,
  answer: Pick<z.ZodObject, "shape">,
  aliases: Readonly<Record<string, keyof Shape & string>> = {},
) {
  const fields = fieldsOf(shape);
  const changes = z.preprocess((sent: z.input<typeof fields>) => {
    const input: unknown = sent;
    if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
    const given = Object.entries(input);
    const renamed = given.flatMap(([name, value]) => {
      const field = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
      return field === undefined ? [] : [[field, value] as const];
    });
    const own = given.filter(([name]) => Object.hasOwn(shape, name) || !Object.hasOwn(answer.shape, name));
    return Object.fromEntries([...renamed, ...own]);
  }, fields);
  const isField = (name: string) => Object.hasOwn(shape, name) || Object.hasOwn(aliases, name);
  const ignored = Object.keys(answer.shape).filter((name) => !isField(name));
  return changes.register(roundTripFields, { aliases, ignored });
}

/** What somebody else named is repeated where it is short and plain. */
const nameOf = ([name = ""]: readonly string[]) =>
  /^[\w$.-]{1,60}$/.test(name) ? name : "One of the fields";
