/**
 * Where a spreadsheet may begin a cell, whatever list separator it reads the file with, and what it takes for the beginning of a
 * formula: also after quotes and invisible characters, and in full-width and other compatible forms (OWASP, CSV Injection).
 */
const begin = String.raw`(?<=^|[;\t\r\n])`;
const unseen = String.raw`(?:(?![\t\r\n])["\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}])*`;
const formula = String.raw`${unseen}[=+\-@＝＋－＠﹦﹢﹣﹫⁼⁺⁻₌₊₋−]|(?<=^'*)[\t\r]`;
const active = new RegExp(`${begin}(?='*(?:${formula}))`, "gu");
const guarded = new RegExp(`${begin}'(?='*(?:${formula}))`, "gu");

/** Text that no spreadsheet runs as a formula: an apostrophe stands before what could be one. `fromInert` takes it away again. */
export const inert = (text: string): string => text.replace(active, "'");

/** The text that was made inert. */
export const fromInert = (text: string): string => text.replace(guarded, "");

/** Makes a text inert, and quotes it as RFC 4180 requires; also one with a blank at an end, which readers would trim. */
export function csvCell(text: string): string {
  const safe = inert(text);
  return /[",\r\n]|^ |[ \t]$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvRow = (cells: readonly (string | number | boolean | null | undefined)[]): string =>
  `${cells.map((cell) => csvCell(String(cell ?? ""))).join()}\r\n`;

/** Tells spreadsheets that a file is UTF-8; without it, some read it in the code page of their country. */
export const byteOrderMark = "\uFEFF";
