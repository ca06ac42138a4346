import type { Context } from "hono";

export const securityTxtPath = "/.well-known/security.txt";

const dayMs = 86_400_000;
/** The file is made for each request, so it never expires; "less than a year" is what RFC 9116 recommends. */
const validDays = 90;

/**
 * Answers with how to report abuse and vulnerabilities (RFC 9116). `contact` is a URI. No Canonical field: custom domains
 * serve the same file, and it would not be valid there.
 */
export function securityTxt(c: Context, contact: string): Response {
  const expires = new Date(Date.now() + validDays * dayMs);
  const lines = [`Contact: ${contact}`, `Expires: ${expires.toISOString()}`, "Preferred-Languages: en", ""];
  return c.body(lines.join("\n"), 200, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "public, max-age=86400",
  });
}
