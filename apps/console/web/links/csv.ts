import type { Link } from "./link.ts";

const columns = [
  "short_url",
  "destination",
  "title",
  "click_count",
  "is_active",
  "created_at",
  "updated_at",
  "last_click_at",
  "expires_at",
  "has_password",
  "tags",
  "notes",
] as const satisfies readonly (keyof Link)[];

/** Links as CSV (RFC 4180). Texts that a spreadsheet would run as formulas get an apostrophe, as in other exports. */
export const toCsv = (links: readonly Link[]): string =>
  [
    columns,
    ...links.map((link) =>
      columns.map((column) => (column === "tags" ? tagsCell(link.tags) : (link[column] ?? ""))),
    ),
  ]
    .map((cells) => `${cells.map(cell).join(",")}\r\n`)
    .join("");

/** As the service's export writes them. */
const tagsCell = (tags: readonly string[]) => tags.map((tag) => tag.replaceAll(/[\\|]/g, "\\$&")).join("|");

function cell(value: string | number | boolean): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Lets the browser save a text as a file. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
