import { refused } from "./issues.ts";
import { textLike } from "./strings.ts";
import * as z from "zod";
import { byteOrderMark } from "@terse/importers/csv";

/**
 * A file as an operation's answer. Transports send its body without an envelope; callers in this process get the object.
 * A streamed body starts its work when the first chunk is read and stops it on an early `return`.
 */
export interface FileReply<Body = string | AsyncIterable<string>> {
  /** Media type, with the charset for text */
  content_type: string;
  /** File name for saving */
  file_name?: string | undefined;
  /** Whether to display or save it (RFC 6266) */
  disposition: "inline" | "attachment";
  /** Set if the body is not text: it, or each chunk of it, is in Base64 */
  encoding?: "base64" | undefined;
  body: Body;
}

const head = {
  content_type: z.string(),
  file_name: z.string().optional(),
  disposition: z.enum(["inline", "attachment"]),
};

/** Output of an operation that returns a small file at once, as text or in Base64; clients may cache it. */
export const smallFile = z.object({
  ...head,
  encoding: z.literal("base64").optional().describe("Set if `body` is binary data in Base64"),
  body: z.string(),
});

/** Output of an operation that streams a file; it is not cached. */
export const streamedFile = z.object({
  ...head,
  encoding: z.literal("base64").optional().describe("Set if `body` is binary data, each chunk in Base64"),
  body: z.custom<AsyncIterable<string>>(isAsyncIterable).meta({ type: "string" }),
});

export const bomField = z
  .boolean({ error: "must be true or false" })
  .meta({ description: "Begins CSV with a byte-order mark, so that spreadsheets read it as UTF-8" })
  .default(false);

/** Puts the mark before the first chunk of a file; no earlier, because a refused file has none. */
export async function* withByteOrderMark(chunks: AsyncIterable<string>): AsyncGenerator<string, void> {
  let mark = byteOrderMark;
  for await (const chunk of chunks) {
    yield mark + chunk;
    mark = "";
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<string> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** The bytes of an image file, from text in Base64. */
export const imageInput = (maxBytes: number) =>
  textLike(/^[A-Za-z0-9+/]*={0,2}$/, "base64", "must be Base64")
    .min(1, "must not be empty")
    .refine(
      ({ length }) => length <= Math.ceil(maxBytes / 3) * 4,
      refused("too_long", `must have at most ${maxBytes / 1e6} MB`, { max: maxBytes / 1e6, unit: "MB" }),
    )
    .meta({ maxLength: Math.ceil(maxBytes / 3) * 4 })
    .transform((text) => new Uint8Array(Buffer.from(text, "base64")))
    .describe("A PNG, JPEG or WebP image in Base64");
