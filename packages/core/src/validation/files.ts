import * as z from "zod";

/**
 * A file as an operation's answer. A transport sends it as it is, without its envelope; callers in this process get the
 * object. A body in pieces begins its work with the first piece asked for, and ends it when it is `return`ed early.
 */
export interface FileReply<Body = string | AsyncIterable<string>> {
  /** Media type, with its charset where it is text */
  content_type: string;
  /** What to call it when it is saved */
  file_name?: string | undefined;
  /** Shown, or saved (RFC 6266) */
  disposition: "inline" | "attachment";
  body: Body;
}

const head = {
  content_type: z.string(),
  file_name: z.string().optional(),
  disposition: z.enum(["inline", "attachment"]),
};

/** Output of an operation whose file is small and made at once; transports may let clients keep it. */
export const textFile = z.object({ ...head, body: z.string() });

/** Output of an operation whose file is made while it is sent; nobody keeps it. */
export const streamedFile = z.object({
  ...head,
  body: z.custom<AsyncIterable<string>>(isAsyncIterable).meta({ type: "string" }),
});

function isAsyncIterable(value: unknown): value is AsyncIterable<string> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
