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

/** Bytes above 127, which Node decodes as Latin-1, are percent-encoded, so that they can be forwarded unchanged. */
export const toAscii = (raw: string): string =>
  raw.replace(/[\u0080-\u00FF]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

const plural = new Intl.PluralRules("en");

/** "1 click", "2 clicks", "12,480 clicks" */
export const countOf = (count: number, thing: string): string =>
  `${count.toLocaleString("en")} ${thing}${plural.select(count) === "one" ? "" : "s"}`;

/** Equal for names of the same tag: case and the composition of characters do not matter. */
export const keyOfTag = (name: string): string => name.normalize("NFC").toLowerCase().normalize("NFC");
