/** The rules for slugs: pure, and defined only here. */

import { reason, type Reason } from "./issues.ts";

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

export type SlugResult = { ok: true; slug: string } | { ok: false; reason: Reason };

/** Checks a custom slug; the result is in its one spelling, see `normalizeSlug`, and keeps its case. */
export function parseSlug(raw: string): SlugResult {
  const slug = normalizeSlug(raw);
  const refuse = (...said: Parameters<typeof reason>) => ({ ok: false, reason: reason(...said) }) as const;
  if (slug.length === 0)
    return refuse("too_short", "must not be empty; leave it out to have one generated", { min: 1 });
  if (Array.from(slug).length > maxSlugLength)
    return refuse("too_long", `must have at most ${maxSlugLength} characters`, { max: maxSlugLength });
  if (reserved.has(slug.toLowerCase()))
    return refuse("slug_reserved", "is reserved; choose another one", { slug });
  const [remaining] = withoutJoiners(slug).replace(character, "");
  return remaining === undefined ? { ok: true, slug } : { ok: false, reason: reasonAgainst(remaining) };
}

/**
 * The one spelling under which a slug is stored and looked up: NFC (UAX #15), and U+FE0F after each emoji that without it is
 * shown as text, and nowhere else (UTS #51), because keyboards differ in whether they send it.
 */
export function normalizeSlug(raw: string): string {
  if (/^[\x00-\x7F]*$/.test(raw)) return raw;
  return raw
    .normalize("NFC")
    .replaceAll(/(?<=[\p{Emoji}--[0-9#*]])\uFE0F+|(?<!\uFE0F)\uFE0F+(?=\u20E3)/gv, "")
    .replaceAll(
      /[\p{Emoji}--\p{Emoji_Presentation}--[0-9#*]](?!\p{Emoji_Modifier})|[0-9#*](?=\u20E3)/gv,
      "$&\uFE0F",
    );
}

/** Removes joiners (U+200C, U+200D) that change how the letters around them are written, as in Persian or Sinhala. */
const withoutJoiners = (slug: string): string =>
  slug.replaceAll(
    /(?<=(\p{L}\p{M}*))[\u200C\u200D](?=(\p{M}*\p{L}?))/gu,
    (joiner, before: string, after: string) => (isNeeded(joiner, before, after) ? "" : joiner),
  );

/**
 * By the rules for host names (RFC 5892 appendix A), which the URL parser applies. They lack one: after a Bengali or Kannada
 * RA, a joiner before the virama keeps its form.
 */
const isNeeded = (joiner: string, before: string, after: string): boolean =>
  (joiner === "\u200D" && /[\u09B0\u0CB0]$/.test(before) && /^[\u09CD\u0CCD]\p{L}/u.test(after)) ||
  URL.canParse(`http://${before}${joiner}${after}`);

/** Describes the first character that is not allowed in its place. */
function reasonAgainst(bad: string): Reason {
  const refuse = (kind: string, message: string) =>
    reason("invalid_slug", message, { kind, character: kind === "printable" ? bad : code });
  const code = `U+${bad.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
  if (/\p{Default_Ignorable_Code_Point}/v.test(bad))
    return refuse("invisible", `must not have invisible characters, here ${code}`);
  if (/\p{M}/v.test(bad))
    return refuse("loose_mark", `must not have a vowel sign or accent that follows no letter, here ${code}`);
  const isPrintable = /[\p{L}\p{N}\p{P}\p{S}]/u.test(bad);
  const shown =
    bad === " " ? "a space" : /[!#-~]/.test(bad) ? `"${bad}"` : isPrintable ? `"${bad}" (${code})` : code;
  const kind = bad === " " ? "space" : isPrintable ? "printable" : "unprintable";
  return refuse(kind, `may have letters, digits, emoji, "-" and "_" only, not ${shown}`);
}

/** From the first of these on, what follows a short URL is a query or fragment that was encoded or lost its question mark. */
const lostQuery = /&|%26|%3F|%23/i;
/**
 * Text that surroundings leave at the end of a short URL: closing brackets, quotes, punctuation, white space,
 * invisible characters.
 */
const surrounding = String.raw`[\p{Pe}\p{Pi}\p{Pf}"'\x60>.,!;:…。，！；：\p{White_Space}\p{Default_Ignorable_Code_Point}]`;
/** Begins only where a row of them begins, so that a long row before other characters is read once. */
const surroundings = new RegExp(`(?<!${surrounding})${surrounding}+$`, "u");

/**
 * Cuts off text that programs append to a short URL when passing it on, and that no slug can have; null if there is
 * nothing to cut. Only for paths that lead nowhere: forwarded paths may have it.
 */
export function withoutGlued(path: string): string | null {
  const [kept = ""] = path.split(lostQuery, 1);
  try {
    const last = kept.lastIndexOf("/") + 1;
    const segment = decodeURIComponent(kept.slice(last));
    // Dot segments are not punctuation.
    if (/^\.{1,2}$/.test(segment)) return null;
    const bare = segment.replace(surroundings, "");
    // A joiner may be the end of a slug.
    const [joiner = ""] = /^[\u200C\u200D]/.exec(segment.slice(bare.length)) ?? [];
    const name = joiner !== "" && parseSlug(bare + joiner).ok ? bare + joiner : bare;
    if (name === segment) return kept === path ? null : kept;
    return kept.slice(0, last) + encodeURIComponent(name);
  } catch {
    return null;
  }
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
