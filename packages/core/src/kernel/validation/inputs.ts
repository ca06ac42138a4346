import * as z from "zod";
import { asRefused, isPlainName, parseInput, refused } from "./issues.ts";

/** A whole number; every error has the same text. */
export const whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};

/** One of the given words; the error lists them. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `must be one of ${words.join(", ")}` });

/** The fields of an input. Unknown fields are refused, because an ignored typo looks like a change that worked. */
export function fieldsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      return `${nameOf(issue.keys)}: no such field${known && `; the known ones are ${known}`}`;
    },
  });
}

/** The input of an operation that has no fields. */
export const noFields = fieldsOf({}).prefault({});

/** Names that an update accepts besides its fields, for transports that describe it. */
export interface RoundTripFields {
  /** Other names of fields */
  readonly aliases: Readonly<Record<string, string>>;
  /** Read-only fields of the answer, which are ignored */
  readonly ignored: readonly string[];
}
export const roundTripFields = z.registry<RoundTripFields>();

/**
 * The fields of an update. Other fields of `answer` are read-only and ignored, so that an answer can be sent back
 * unchanged. A missing field is taken from its alias there, such as `destination` for `url`; errors name what was sent.
 */
export function changesOf<Shape extends z.ZodRawShape>(
  shape: Shape,
  answer: Pick<z.ZodObject, "shape">,
  aliases: Readonly<Record<string, keyof Shape & string>> = {},
) {
  const fields = fieldsOf(shape);
  const changes = z.preprocess((sent: z.input<typeof fields>, ctx) => {
    const input: unknown = sent;
    if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
    const given = Object.entries(input);
    const renamed = given.flatMap(([name, value]) => {
      const field = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
      if (field === undefined || Object.hasOwn(input, field)) return [];
      const parsed = parseInput(shape[field] as z.ZodType, value);
      for (const { path, ...said } of parsed.ok ? [] : parsed.issues)
        ctx.addIssue({ ...asRefused(said), path: [name, ...path] });
      return [[field, value] as const];
    });
    const own = given.filter(([name]) => Object.hasOwn(shape, name) || !Object.hasOwn(answer.shape, name));
    return Object.fromEntries([...renamed, ...own]);
  }, fields);
  const isField = (name: string) => Object.hasOwn(shape, name) || Object.hasOwn(aliases, name);
  const ignored = Object.keys(answer.shape).filter((name) => !isField(name));
  return changes.register(roundTripFields, { aliases, ignored });
}

const nameOf = ([name = ""]: readonly string[]) => (isPlainName(name) ? name : "One of the fields");

/** The fields that were sent. */
export const withoutUndefined = <Sent extends object>(sent: Sent) =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Sent]?: Exclude<Sent[Field], undefined>;
  };

/** The refusal of a text that is no time zone. */
export const notZone = refused(
  "invalid_format",
  "must be the name of a time zone in the IANA database, such as UTC or Europe/Berlin",
  { format: "time_zone", example: "Europe/Berlin" },
);

/** A time with its zone, as a Date. */
export const timeInput = (description: string, example?: string) =>
  z.iso
    .datetime({ offset: true, error: "must be an ISO 8601 time with a zone, such as 2027-01-31T12:00:00Z" })
    .meta({ description, ...(example !== undefined && { examples: [example] }) })
    .transform((raw, ctx) => {
      const date = new Date(raw);
      const year = date.getUTCFullYear();
      if (year >= 1970 && year <= 9999) return date;
      const [code, than] = year < 1970 ? (["too_early", "1970"] as const) : (["too_late", "9999"] as const);
      ctx.addIssue(refused(code, "must lie between the years 1970 and 9999", { than }));
      return z.NEVER;
    });
