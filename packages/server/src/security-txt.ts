export const securityTxtPath = "/.well-known/security.txt";

const dayMs = 86_400_000;
/** The file is made for each request, so it never expires; "less than a year" is what RFC 9116 recommends. */
const validDays = 90;

/**
 * How to report abuse and vulnerabilities (RFC 9116). `contact` is a URI. No Canonical field: custom domains serve the same
 * file, and it would not be valid there.
 */
export function securityTxt(contact: string): { body: string; headers: Record<string, string> } {
  const expires = new Date(Date.now() + validDays * dayMs);
  const lines = [`Contact: ${contact}`, `Expires: ${expires.toISOString()}`, "Preferred-Languages: en", ""];
  return {
    body: lines.join("\n"),
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400" },
  };
}
