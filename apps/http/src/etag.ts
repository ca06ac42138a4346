import { createHash } from "node:crypto";

/** A strong entity tag of these bytes (RFC 9110 section 8.8.3). */
export const strongETag = (bytes: Uint8Array): string =>
  `"${createHash("sha256").update(bytes).digest("base64url")}"`;

/** Compares weakly, as If-None-Match requires: `W/"x"` equals `"x"` (RFC 9110 section 13.1.2). */
export function matchesETag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || (header.match(/"[^"]*"/g)?.includes(etag) ?? false);
}
