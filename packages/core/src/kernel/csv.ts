/** Quotes as RFC 4180 requires. A leading apostrophe keeps spreadsheets from running formulas (OWASP, CSV Injection). */
export function csvCell(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
