import { parse } from "csv-parse/sync";
import { joinTags } from "../../tags/cell.ts";
import { columnsNotTaken, isSwitch, linkOf, pastOf, recognize } from "./columns.ts";
import type { ImportedRow, ReadOutcome, ReadPart, ReadTask } from "./imports.types.ts";

/** A file with a longer row, or with more columns, is not a list of links. */
const maxRowLength = 256 * 1024;
const maxColumns = 200;

/** Reads the links of a file: CSV whose first line names the columns, a list of URLs, or JSON with a list of objects. */
export function readLinks({ content, source, domain, maxRows, rowsPerPart }: ReadTask): ReadOutcome {
  const text = content.replace(/^\uFEFF/, "").trim();
  const table = /^[[{]/.test(text) ? tableOfJson(text) : tableOfCsv(text);
  if (typeof table === "string") return { refusal: table };
  const [first] = table;
  if (!first) return { refusal: "must have at least one link" };
  const recognized = recognize(first);
  const { hasHeader, mapping } = recognized;
  if (source !== undefined && plain(recognized.source ?? "list") !== plain(source))
    return {
      refusal: `does not have the columns of a file from ${source}; leave source out to have them recognised`,
    };
  if (mapping.url === null) return { refusal: "no column has the links' destinations; name one of them url" };
  const rows = hasHeader ? table.slice(1) : table;
  if (rows.length === 0) return { refusal: "must have at least one link" };
  if (rows.length > maxRows)
    return { refusal: `has ${rows.length} links; the plan allows ${maxRows} in one import` };
  const parts: ReadPart[] = [];
  for (let at = 0; at < rows.length; at += rowsPerPart) {
    const some = rows
      .slice(at, at + rowsPerPart)
      .map(
        (row, index): ImportedRow => [
          at + index + (hasHeader ? 2 : 1),
          linkOf(row, recognized, domain ?? null),
          pastOf(row, recognized),
        ],
      );
    parts.push({ size: some.length, items: JSON.stringify(some) });
  }
  return { parts, notTaken: columnsNotTaken(first, recognized) };
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, "");

type Table = readonly (readonly string[])[];

function tableOfCsv(text: string): Table | string {
  const [firstLine = ""] = text.split("\n", 1);
  try {
    return parse(text, {
      delimiter: delimiterOf(firstLine),
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      trim: true,
      max_record_size: maxRowLength,
    });
  } catch (error) {
    const { code, lines } = error as { code?: string; lines?: number };
    if (code === "CSV_QUOTE_NOT_CLOSED") return `line ${lines}: a quote is never closed`;
    return `line ${lines}: is not CSV`;
  }
}

/** Spreadsheets of some countries write semicolons, or tabs. */
const delimiterOf = (line: string): string =>
  [",", ";", "\t"].reduce((best, each) => (line.split(each).length > line.split(best).length ? each : best));

/** The first list of objects in it, at the top or one or two levels below, as a table with a header. */
function tableOfJson(text: string): Table | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "is neither CSV nor valid JSON";
  }
  const objects = listIn(value, 2);
  if (objects === null) return "has no list of links";
  const header = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  if (header.length > maxColumns) return `has more than ${maxColumns} different fields`;
  return [header, ...objects.map((object) => header.map((name) => cellOf(object[name], name)))];
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function listIn(value: unknown, levels: number): Fields[] | null {
  if (Array.isArray(value)) return value.length > 0 && value.every(isFields) ? value : null;
  if (levels === 0 || !isFields(value)) return null;
  for (const inner of Object.values(value)) {
    const found = listIn(inner, levels - 1);
    if (found) return found;
  }
  return null;
}

/**
 * A list of texts is one of tags. A separator ends it, so that a comma in a name is none. False is not a value, except of a switch,
 * and an object of texts is JSON.
 */
function cellOf(value: unknown, name: string): string {
  if (value === true) return "true";
  if (value === false) return isSwitch(name) ? "false" : "";
  if (isFields(value))
    return Object.values(value).every((each) => typeof each === "string") ? JSON.stringify(value) : "";
  if (Array.isArray(value)) return `${joinTags(value.filter((each) => typeof each === "string"))}|`;
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
