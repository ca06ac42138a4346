import * as z from "zod";

/** Text as it was sent. */
export const textUpTo = (max: number) => z.string().max(max, `must have at most ${max} characters`);

const control = /[\u0000-\u001F\u007F]/;

/** One line of human text, trimmed: no control characters (PostgreSQL cannot store NUL), no broken surrogates. */
export const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `must have at most ${max} characters`)
    .refine((text) => !control.test(text) && text.isWellFormed(), "must not contain control characters");

/** The wire form of every time: ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 });

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for what can be an id at all. Anything else is simply not found: ids are opaque to clients. */
export const isId = (text: string): boolean => uuid.test(text);
