/** Text to a table, whatever its format; pure. */

import { kindOf } from "./columns.ts";
import { excessOfJson } from "./json-size.ts";
import { NotCsv, recordsOf } from "./records.ts";
import { withHttps } from "./text.ts";

/** Values of a row by the number of their column: texts of CSV, any values of JSON. */
export interface TableRow {
  row: number;
  values: ReadonlyMap<number, unknown> | readonly string[];
}

export interface Table {
  format: "csv" | "json" | "list";
  /** The names of the columns; null if the file has no header */
  names: readonly string[] | null;
  /** How many columns there are */
  width: number;
  /** Reads the rows from the start, each time it is called. */
  rows(): Iterable<TableRow>;
}

export const valueAt = ({ values }: TableRow, at: number): unknown =>
  Array.isArray(values) ? values[at] : (values as ReadonlyMap<number, unknown>).get(at);

/** A file with more columns is not a list of links. */
const maxColumns = 200;

/** Reads a text as JSON, CSV or a list of URLs. `columns` names the columns instead of a header. Throws `NotCsv`. */
export function tableOf(content: string, columns: readonly string[] | null): Table {
  const text = content.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  if (/^\s*[[{]/.test(text)) return tableOfJson(text);
  const said = /^sep=(.)\n/i.exec(text);
  const body = said ? text.slice(said[0].length) : text;
  const firstLine = /\S[^\n]*/.exec(body)?.[0] ?? "";
  const delimiter = said?.[1] ?? delimiterOf(firstLine);
  const [first] = recordsOf(body, delimiter);
  if (!first) return { format: "csv", names: null, width: 0, rows: () => [] };
  const hasHeader = isHeader(first.cells);
  const isList =
    columns === null
      ? (!hasHeader || first.cells.length === 1) && isListOfUrls(body, delimiter, hasHeader)
      : columns.length === 1 && (!hasHeader || first.cells.length === 1);
  if (isList) return listOf(body, hasHeader ? (first.cells[0] ?? null) : null);
  return {
    format: "csv",
    names: hasHeader ? first.cells : null,
    width: first.cells.length,
    *rows() {
      let isFirst = true;
      for (const { row, cells } of recordsOf(body, delimiter)) {
        if (!(isFirst && hasHeader)) yield { row, values: cells };
        isFirst = false;
      }
    },
  };
}

/** The character that separates the cells of a line; those in quotes do not count. */
function delimiterOf(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, "");
  const count = (each: string) => bare.split(each, maxColumns).length;
  return [",", ";", "\t"].reduce((best, each) => (count(each) > count(best) ? each : best));
}

/** Whether a first row names the columns. A name with a dot looks like a host, but not beside names that are known. */
const isHeader = (cells: readonly string[]): boolean =>
  !cells.some((cell) => /^https?:\/\//i.test(cell)) &&
  (cells.some((cell) => kindOf(cell) !== null) || !cells.some((cell) => withHttps(cell) !== null));

/** What follows a comma inside a URL, such as a coordinate, and is neither a slug nor a word. */
const remainderOfUrl = /^-?\d+\.\d+|^-?\d+[a-z]?[/?#&]|=|%[\da-f]{2}|\?/i;

/** Whether each line is one URL, also where URLs have commas in them. */
function isListOfUrls(text: string, delimiter: string, hasHeader: boolean): boolean {
  if (delimiter === "\t") return false;
  let isFirst = true;
  for (const { cells } of recordsOf(text, delimiter)) {
    const [, second] = cells;
    const isUrl = second === undefined || (remainderOfUrl.test(second) && !/^https?:/i.test(second));
    if (!(isFirst && hasHeader) && !isUrl) return false;
    isFirst = false;
  }
  return true;
}

function listOf(text: string, name: string | null): Table {
  return {
    format: "list",
    names: name === null ? null : [name],
    width: 1,
    *rows() {
      let isFirst = true;
      for (let row = 1, at = 0; at < text.length; row++) {
        const found = text.indexOf("\n", at);
        const end = found === -1 ? text.length : found;
        const line = text.slice(at, end).trim();
        at = end + 1;
        if (line === "") continue;
        if (!(isFirst && name !== null))
          yield { row, values: [/^"[^"]*"$/.test(line) ? line.slice(1, -1) : line] };
        isFirst = false;
      }
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function tableOfJson(text: string): Table {
  const entries = entriesOf(text);
  const numbers = new Map<string, number>();
  const rows = entries.map(([row, fields]): TableRow => {
    const values = new Map<number, unknown>();
    for (const [name, value] of flat(fields, "", 3)) {
      const at = numbers.get(name) ?? numbers.size;
      if (at === maxColumns) throw new NotCsv(`has more than ${maxColumns} different fields`);
      numbers.set(name, at);
      values.set(at, value);
    }
    return { row, values };
  });
  return { format: "json", names: [...numbers.keys()], width: numbers.size, rows: () => rows };
}

/** The objects of a list, numbered from 1; of JSON with an object a line, by its lines. */
function entriesOf(text: string): (readonly [row: number, fields: Fields])[] {
  const excess = excessOfJson(text);
  if (excess !== null) throw new NotCsv(excess);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return linesOf(text, error as Error);
  }
  if (Array.isArray(value) && value.length === 0) return [];
  const objects = listIn(value, 2) ?? (isFields(value) && hasUrl(value) ? [value] : null);
  if (objects === null) throw new NotCsv("has no list of links");
  return objects.map((fields, at) => [at + 1, fields]);
}

function linesOf(text: string, whole: Error): (readonly [row: number, fields: Fields])[] {
  const lines = text.split("\n");
  const entries: [number, Fields][] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      value = null;
    }
    if (isFields(value)) entries.push([at + 1, value]);
    else if (entries.length === 0) throw new NotCsv(`is neither CSV nor valid JSON: ${whole.message}`);
    else throw new NotCsv(`line ${at + 1}: is not a JSON object; write one object a line`);
  }
  return entries;
}

const hasUrl = (fields: Fields): boolean =>
  Object.values(fields).some((value) => typeof value === "string" && /^https?:\/\//i.test(value));

/** The first list of objects in a value, or object of objects such as `{"link_1": {…}}`, a few levels deep. */
function listIn(value: unknown, levels: number): Fields[] | null {
  if (Array.isArray(value)) return value.length > 0 && value.every(isFields) ? value : null;
  if (!isFields(value)) return null;
  const inner = Object.values(value);
  if (inner.length > 0 && inner.every(isFields) && inner.some(hasUrl)) return inner;
  if (levels === 0) return null;
  for (const each of inner) {
    const found = listIn(each, levels - 1);
    if (found) return found;
  }
  return null;
}

/** Fields of this service that are objects, and objects by country, stay whole. */
const whole: ReadonlySet<string> = new Set(["preview", "ab_test", "qr", "geo", "health"]);

/** The values of an object, those of objects in it by their path, such as `meta.validUntil`. */
function* flat(fields: Fields, path: string, levels: number): Generator<[name: string, value: unknown]> {
  for (const [name, value] of Object.entries(fields)) {
    if (isFields(value) && levels > 1 && !whole.has(name)) yield* flat(value, `${path}${name}.`, levels - 1);
    else yield [path + name, value];
  }
}
