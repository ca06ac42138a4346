import { emailToAscii } from "../host-names.ts";
import { refused } from "./issues.ts";
import * as z from "zod";

/** Text, unchanged. */
export const textUpTo = (max: number) => z.string().max(max, `must have at most ${max} characters`);

const controlCharacter = /[\u0000-\u001F\u007F]/;

/** False for text with control characters (PostgreSQL cannot store NUL) or with halves of surrogate pairs. */
export const isPlain = (text: string): boolean => !controlCharacter.test(text) && text.isWellFormed();
/** A check, for `superRefine`, that text is plain, or as `isFine` says: `message` if it has control characters. */
export const plain =
  (message = "must not contain control characters", isFine = isPlain) =>
  (text: string, ctx: z.RefinementCtx<string>): void => {
    if (!text.isWellFormed())
      ctx.addIssue(refused("half_character", "must not contain half a character (a lone surrogate)"));
    else if (!isFine(text)) ctx.addIssue(refused("control_characters", message));
  };

/** Text that matches a pattern. `format` names it for sentences in other languages. */
export const textLike = (pattern: RegExp, format: string, message: string, example?: string) =>
  z
    .string()
    .refine(
      (text) => pattern.test(text),
      refused("invalid_format", message, { format, ...(example !== undefined && { example }) }),
    )
    .meta({ pattern: pattern.source });

/** One line of text, trimmed. */
export const line = (max: number) =>
  z.string().trim().max(max, `must have at most ${max} characters`).superRefine(plain());

/** As HTML's `type="email"` at its strictest, and top-level domains of other scripts. */
const emailPattern =
  /^(?!\.)(?!.*\.\.)[a-z0-9_'+.-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;

/** An e-mail address, in the spelling of `emailToAscii`. */
export const emailAddress = z
  .string()
  .overwrite(emailToAscii)
  .max(254, "must have at most 254 characters")
  .refine(
    (text) => emailPattern.test(text),
    refused("invalid_format", "is not an e-mail address", { format: "email" }),
  )
  .meta({ format: "email" });

/** Why an operator does something; owners may see it. */
export const reasonInput = z.object({ reason: line(200).min(1, "must not be empty") });

/** The wire form of every time: ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** The schema of an object that has a name. */
export type NamedSchema<Output> = z.ZodType<Output> & Pick<z.ZodObject, "shape">;

/**
 * Names a schema: `id` is its component in the OpenAPI document, and `Output` the type that editors show instead of all
 * its fields. Declare it as `interface Link extends z.infer<typeof fields> {}`.
 */
export const named = <Output>(id: string, schema: NamedSchema<Output>): NamedSchema<Output> =>
  schema.meta({ id });

/** A value as it is stored: a time may be a Date, and null may be missing. */
type Stored<Value> =
  | (Value extends string ? (string extends Value ? string | Date : Value) : Value)
  | (null extends Value ? undefined : never);

/** The fields of a row that clients see. Those that may be null may be missing. */
export type RowOf<Output> = {
  readonly [Name in keyof Output as null extends Output[Name] ? never : Name]: Stored<Output[Name]>;
} & {
  readonly [Name in keyof Output as null extends Output[Name] ? Name : never]?: Stored<Output[Name]>;
};

/** A row as clients see it: the fields of the schema, with times in their wire form. */
export function shown<Output>(schema: NamedSchema<Output>, row: RowOf<Output>): Output {
  const values = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, field]) => {
      const value = values[name];
      if (value instanceof Date) return [name, value.toISOString()];
      return [name, value === undefined && !(field instanceof z.ZodOptional) ? null : value];
    }),
  ) as Output;
}
