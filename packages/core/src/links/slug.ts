/** The rules for slugs: pure, and defined only here. */

/** Without 0/O/o and 1/l/I/i, which are confused when a slug is read aloud or copied from paper. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
const generatedLength = 7;
export const maxSlugLength = 64;

/** Names that the service's own hosts or web crawlers use. Compared case-insensitively. */
const reserved = new Set([
  ".well-known",
  "api",
  "apple-touch-icon.png",
  "auth",
  "favicon.ico",
  "health",
  "livez",
  "mcp",
  "metrics",
  "openapi.json",
  "readyz",
  "robots.txt",
  "sitemap.xml",
  "trpc",
  "v1",
]);

/**
 * One character: an emoji, a letter with its combining marks, a decimal digit, "-" or "_". Invisible characters are
 * excluded: they would make two links whose slugs look identical. Characters are removed one by one, longest match
 * first; a single pattern for the whole slug could split a row of emoji in 2^n ways and would try all of them.
 */
const character =
  /\p{RGI_Emoji}|\p{Extended_Pictographic}\uFE0F?|[\p{L}--\p{Default_Ignorable_Code_Point}][\p{M}--\p{Default_Ignorable_Code_Point}]*|[\p{Nd}\-_]/gv;

export type SlugResult = { ok: true; slug: string } | { ok: false; reason: string };

/** Checks a custom slug; the result is NFC-normalised (UAX #15) and keeps its case. */
export function parseSlug(raw: string): SlugResult {
  const slug = raw.normalize("NFC");
  if (slug.length === 0)
    return { ok: false, reason: "must not be empty; leave it out to have one generated" };
  if (Array.from(slug).length > maxSlugLength)
    return { ok: false, reason: `must have at most ${maxSlugLength} characters` };
  if (reserved.has(slug.toLowerCase())) return { ok: false, reason: "is reserved; choose another one" };
  const [rest] = slug.replace(character, "");
  return rest === undefined ? { ok: true, slug } : { ok: false, reason: reasonAgainst(rest) };
}

/** Says what is wrong with the first character that is not allowed where it stands. */
function reasonAgainst(bad: string): string {
  if (/\p{Default_Ignorable_Code_Point}/v.test(bad)) return "must not have invisible characters";
  if (/\p{M}/v.test(bad)) return "must not have a vowel sign or accent that follows no letter";
  return 'may have letters, digits, emoji, "-" and "_" only';
}

/** Returns a random slug of 7 characters out of 55 (1.5 × 10^12 slugs); rejection sampling keeps all equally likely. */
export function generateSlug(randomBytes: (size: number) => Uint8Array): string {
  const limit = 256 - (256 % alphabet.length);
  let slug = "";
  while (slug.length < generatedLength) {
    for (const byte of randomBytes(generatedLength * 2)) {
      if (byte < limit && slug.length < generatedLength) slug += alphabet[byte % alphabet.length];
    }
  }
  return slug;
}
