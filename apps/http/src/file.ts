import type { FileReply } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import { create as contentDisposition } from "content-disposition";
import type { Context } from "hono";
import { matchesETag, strongETag } from "./etag.ts";

/** Files contain user data: opened in a browser, they must not run or load anything. */
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox";

/**
 * Sends a file. A complete one has a strong ETag and answers If-None-Match with 304 (RFC 9110 section 13.1.2); a
 * streamed one is not cached. Rejects if the first chunk fails.
 */
export async function fileResponse(c: Context<ServerEnv>, file: FileReply): Promise<Response> {
  const headers = {
    "Content-Type": file.content_type,
    "Content-Disposition": contentDisposition(file.file_name, { type: file.disposition }),
    "Content-Security-Policy": policy,
  };
  if (typeof file.body !== "string") {
    const body = await streamOf(c, file.body, file.encoding);
    const unbuffered = file.content_type.startsWith("text/event-stream") && { "X-Accel-Buffering": "no" };
    return c.newResponse(body, 200, { ...headers, ...unbuffered, "Cache-Control": "no-store" });
  }
  const bytes = new Uint8Array(Buffer.from(file.body, file.encoding ?? "utf8"));
  const ETag = strongETag(bytes);
  const cached = { ETag, "Cache-Control": "private, no-cache" };
  if (matchesETag(c.req.header("if-none-match"), ETag)) return c.newResponse(null, 304, cached);
  return c.newResponse(bytes, 200, { ...headers, ...cached, "Content-Length": String(bytes.length) });
}

/**
 * Streams the chunks, each produced after the client has taken the previous one. The first one is produced now, so its
 * failure is a normal error response; a later failure cuts the connection, so a partial file never looks complete.
 */
async function streamOf(
  c: Context<ServerEnv>,
  body: AsyncIterable<string>,
  encoding: "base64" | "utf8" = "utf8",
): Promise<ReadableStream<Uint8Array> | null> {
  const chunks = body[Symbol.asyncIterator]();
  const cancel = async () => void (await chunks.return?.());
  if (c.req.method === "HEAD") return cancel().then(() => null);
  let next: IteratorResult<string> | null = await chunks.next();

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const { done, value } = next ?? (await chunks.next());
      next = null;
      if (done) controller.close();
      else controller.enqueue(Buffer.from(value, encoding));
    } catch (error) {
      c.error = error instanceof Error ? error : new Error("not an Error was thrown", { cause: error });
      // The server adapter would write the error message into the file before ending it.
      const outgoing = c.env?.outgoing;
      if (outgoing) outgoing.destroy();
      else controller.error(error);
    }
  }
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}
