import { createHash } from "node:crypto";
import type { FileReply } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import { create as contentDisposition } from "content-disposition";
import type { Context } from "hono";

/** A file is ours, but what is in it may not be: opened in a browser, it runs and loads nothing. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * Sends a file. One that is made at once has a strong ETag, so that a client that asks again with If-None-Match gets 304
 * (RFC 9110 section 13.1.2); one that is made while it is sent is stored by nobody. Rejects where its first piece fails.
 */
export async function fileAnswer(c: Context<ServerEnv>, file: FileReply): Promise<Response> {
  const headers = {
    "Content-Type": file.content_type,
    "Content-Disposition": contentDisposition(file.file_name, { type: file.disposition }),
    "Content-Security-Policy": policy,
  };
  if (typeof file.body !== "string") {
    const body = await streamOf(c, file.body);
    return c.newResponse(body, 200, { ...headers, "Cache-Control": "no-store" });
  }
  const ETag = `"${createHash("sha256").update(file.body).digest("base64url")}"`;
  const cached = { ETag, "Cache-Control": "private, no-cache" };
  if (isNamed(c.req.header("if-none-match"), ETag)) return c.newResponse(null, 304, cached);
  const length = String(Buffer.byteLength(file.body));
  return c.newResponse(file.body, 200, { ...headers, ...cached, "Content-Length": length });
}

/** Compares weakly, as If-None-Match asks: `W/"x"` is `"x"`. */
function isNamed(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || (header.match(/"[^"]*"/g)?.includes(etag) ?? false);
}

/**
 * The pieces as bytes, each made when the client has taken the one before. The first is made now: what fails by then is
 * a refusal like any other. Later the status is out, and the connection is cut so that nobody takes the part for all.
 */
async function streamOf(
  c: Context<ServerEnv>,
  body: AsyncIterable<string>,
): Promise<ReadableStream<Uint8Array> | null> {
  const pieces = body[Symbol.asyncIterator]();
  const leave = async () => void (await pieces.return?.());
  if (c.req.method === "HEAD") return leave().then(() => null);
  let next: IteratorResult<string> | null = await pieces.next();
  const encoder = new TextEncoder();

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const { done, value } = next ?? (await pieces.next());
      next = null;
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    } catch (error) {
      c.error = error instanceof Error ? error : new Error("not an Error was thrown", { cause: error });
      // The server's own way would write the message into the file before it ends it.
      const outgoing = c.env?.outgoing;
      if (outgoing) outgoing.destroy();
      else controller.error(error);
    }
  }
  return new ReadableStream({ pull, cancel: leave }, { highWaterMark: 0 });
}
