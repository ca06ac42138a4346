import * as z from "zod";

/** Text, unchanged. */
export const textUpTo = (max: number) => z.string().max(max, `must have at most ${max} characters`);

const controlCharacter = /[\u0000-\u001F\u007F]/;

/** False for text with control characters (PostgreSQL cannot store NUL) or with halves of surrogate pairs. */
export const isPlain = (text: string): boolean => !controlCharacter.test(text) && text.isWellFormed();
const halfCharacter = "must not contain half a character (a lone surrogate)";
/** The error of a text that is not plain: `message` if it has control characters that are refused. */
export const notPlainError = (message: string) => ({
  error: ({ input }: { input?: unknown }) =>
    typeof input === "string" && !input.isWellFormed() ? halfCharacter : message,
});
export const notPlain = notPlainError("must not contain control characters");

/** One line of text, trimmed. */
export const line = (max: number) =>
  z.string().trim().max(max, `must have at most ${max} characters`).refine(isPlain, notPlain);

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
