/** How texts are written and shown: pure, since browsers use it, too. */

/**
 * Characters that can rewrite or reorder what a terminal or a log viewer shows: C0 controls except tab and line feed, DEL
 * and C1 controls (ISO/IEC 6429), line and paragraph separators, and controls of the writing direction (Unicode Standard
 * Annex 9).
 */
const misleading = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g;

/** Escapes misleading characters as `\u009b`, which leaves the meaning of JSON unchanged. */
export const printable = (text: string): string =>
  text.replace(misleading, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Bytes above 127, which Node decodes as Latin-1, are percent-encoded, so that they can be sent on as they came. */
export const toAscii = (raw: string): string =>
  raw.replace(/[\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

/** A percent-encoded text decoded; as it is if a percent sign in it encodes nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What people write as a URL without its scheme, such as `www.example.org/x` or `example.com`. */
const bare =
  /^(?![\d.]*$)[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.[\p{L}\p{N}][\p{L}\p{N}-]+\.?(?::\d{1,5})?(?:[/?#]\S*)?$/u;

/** The URL that a text is, with `https://` if it has no scheme; null if it is neither a URL nor a host with a dot. */
export function withHttps(text: string): string | null {
  const trimmed = text.trim();
  if (/^https?:\/\//i.test(trimmed)) return trimmed;
  return bare.test(trimmed) ? `https://${trimmed}` : null;
}

/** What stands in the place of a password that is not shown, or not known. It is too short to be one. */
export const hidden = "***";
