import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import { weightsOf } from "@terse/server";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { sessionToken } from "./credentials.ts";

/** Shorter answers fit into one packet anyway. */
const minBytes = 1024;
/** Longer ones would hold up other requests for a millisecond or more, so another thread compresses them. */
const maxSyncBytes = 64 * 1024;
/** Higher ones save little more on JSON with its repeated names. */
const level = 3;

const gzipAside = promisify(gzip);

/** Sends text, compressed if that is worth it, the client accepts it and its length reveals no secret. */
export async function sendText(
  c: Context,
  text: string,
  status: ContentfulStatusCode,
  headers: Record<string, string>,
): Promise<Response> {
  const bytes = text.length < minBytes ? 0 : Buffer.byteLength(text);
  if (bytes < minBytes || !acceptsEncoding(c, "gzip") || !isSafe(c)) return c.body(text, status, headers);
  const short = bytes <= maxSyncBytes ? gzipSync(text, { level }) : await gzipAside(text, { level });
  return c.body(new Uint8Array(short), status, {
    ...headers,
    "content-encoding": "gzip",
    vary: headers["vary"] ? `${headers["vary"]}, Accept-Encoding` : "Accept-Encoding",
  });
}

/**
 * The length of a compressed answer reveals whether it repeats a text of the request (the BREACH attack). That helps only
 * an attacker who can make a browser send requests with its cookie, so those are compressed only if they come from our
 * site.
 */
function isSafe(c: Context): boolean {
  const site = c.req.header("sec-fetch-site");
  return sessionToken(c) === undefined || site === "same-origin" || site === "none";
}

/** Whether Accept-Encoding allows an encoding (RFC 9110 section 12.5.3); without the header, none is used. */
export function acceptsEncoding(c: Context, wanted: string): boolean {
  const weights = weightsOf(c.req.header("accept-encoding"));
  return (weights.get(wanted) ?? weights.get("*") ?? 0) > 0;
}
