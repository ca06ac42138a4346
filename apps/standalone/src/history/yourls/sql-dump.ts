import { isAscii, isUtf8 } from "node:buffer";
import { UserError } from "@terse/server";

/** Rows of an SQL file, as mysqldump, mariadb-dump and phpMyAdmin write them. */

/** One row; null is NULL. Numbers are texts. */
export type Row = Readonly<Record<string, string | null>>;

/** Longer rows are none of the tables that are read. In UTF-16 units. */
const maxRow = 16 * 1024 * 1024;

/** One value and what follows it. Strings have backslash escapes and doubled quotes. */
const value =
  /\s*(?:(null)|(?:_\w+\s*)?(?:'([^'\\]*(?:(?:\\[^]|'')[^'\\]*)*)'|0x([\da-f]*)|x'([\da-f]*)')|(-?[\d.]+(?:e[+-]?\d+)?))\s*([,)])/iy;

/** A comment (also a conditional one), a string, a quoted name, or the end of a statement. */
const skipped =
  /--[^\n]*\n?|#[^\n]*\n?|\/\*[^]*?\*\/|'[^'\\]*(?:(?:\\[^]|'')[^'\\]*)*'|"[^"]*"|`[^`]*`|;|[^'"`;/#-]+|\/(?!\*)|-(?!-)/y;

const space = /(?:\s+|--[^\n]*\n|#[^\n]*\n|\/\*[^]*?\*\/)*/y;
const insert =
  /(?:insert|replace)\s+(?:ignore\s+)?into\s+(?:[`"]?[\w$]+[`"]?\.)?[`"]?([\w$]+)[`"]?\s*(?:\(([^)]*)\)\s*)?values\s*(?=\()/iy;
/** Up to the line with the closing parenthesis. */
const create =
  /create\s+table\s+(?:if\s+not\s+exists\s+)?(?:[`"]?[\w$]+[`"]?\.)?[`"]?([\w$]+)[`"]?\s*\(([^]*?)\n\)/iy;

/** Characters that may be the beginning of something that continues in the next piece. */
const lookAhead = 64 * 1024;

/**
 * Yields the rows of some tables, by name. Streams: memory for one piece of text and one row.
 * @throws {UserError} if the text is not SQL that this reads
 */
export async function* readDump(
  pieces: AsyncIterable<string>,
  tables: readonly string[],
): AsyncGenerator<{ table: string; rows: Row[] }, void> {
  const source = pieces[Symbol.asyncIterator]();
  const columnsOf = new Map<string, string[]>();
  let text = "";
  let at = 0;
  let isOver = false;

  /** Reads on; false at the end. Used text is dropped. */
  async function more(): Promise<boolean> {
    if (text.length - at > maxRow) throw new UserError("The SQL file has a row of more than 16 MB");
    const next = await source.next();
    if (next.done) isOver = true;
    else {
      text = text.slice(at) + next.value;
      at = 0;
    }
    return !isOver;
  }

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(text);
  }

  /** Skips to the end of a statement. */
  async function skip(): Promise<void> {
    for (;;) {
      const found = match(skipped);
      // A comment or string that ends with the text may continue after it.
      if (found && (at + found[0].length < text.length || found[0] === ";" || isOver)) {
        at += found[0].length;
        if (found[0] === ";") return;
      } else if (isOver) {
        at = text.length;
        return;
      } else await more();
    }
  }

  for (;;) {
    while (text.length - at < lookAhead && (await more()));
    at += match(space)?.[0].length ?? 0;
    if (at >= text.length && isOver) return;
    const table = match(create);
    if (table && tables.includes(table[1] ?? "")) columnsOf.set(table[1] ?? "", columnNames(table[2] ?? ""));
    const head = match(insert);
    const name = head?.[1] ?? "";
    if (!head || !tables.includes(name)) {
      await skip();
      continue;
    }
    const columns = head[2] === undefined ? columnsOf.get(name) : head[2].split(",").map(unquoted);
    if (columns === undefined) throw new UserError(`The SQL file does not name the columns of ${name}`);
    at += head[0].length;
    yield* rowsOf(name, columns);
  }

  /** Reads the rows of an INSERT statement, up to and including its end. */
  async function* rowsOf(table: string, columns: readonly string[]) {
    let rows: Row[] = [];
    for (;;) {
      const read = rowAt(text, at, columns);
      if (read === null) {
        if (rows.length > 0) yield { table, rows };
        rows = [];
        if (!(await more()))
          throw new UserError(`The SQL file ends within, or has no valid rows of, ${table}`);
        continue;
      }
      at = read.end;
      rows.push(read.row);
      if (read.isLast) break;
    }
    yield { table, rows };
  }
}

/** The row that begins at a place, with the comma or semicolon behind it; null if it does not end in the text. */
function rowAt(text: string, from: number, columns: readonly string[]) {
  let at = from;
  while (/\s/.test(text[at] ?? "")) at++;
  if (text[at] !== "(") return null;
  at++;
  const row: Record<string, string | null> = {};
  for (let column = 0; ; column++) {
    value.lastIndex = at;
    const found = value.exec(text);
    if (!found) return null;
    const [whole, isNull, string, hex, quotedHex, number, end] = found;
    row[columns[column] ?? ""] = isNull
      ? null
      : (number ?? fromHex(hex ?? quotedHex) ?? unescaped(string ?? ""));
    at += whole.length;
    if (end === ")") break;
  }
  while (/\s/.test(text[at] ?? "")) at++;
  const next = text[at];
  return next === "," || next === ";" ? { row: row as Row, end: at + 1, isLast: next === ";" } : null;
}

/** A column in latin1 gives its bytes as they are; YOURLS may have cut a text within a character. */
function fromHex(hex: string | undefined): string | undefined {
  if (hex === undefined) return undefined;
  const bytes = Buffer.from(hex, "hex");
  const isCut = [1, 2, 3].some((end) => {
    const rest = bytes.subarray(0, -end);
    return isUtf8(rest) && !isAscii(rest);
  });
  const encoding = isUtf8(bytes) || isCut ? "utf-8" : "windows-1252";
  return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
}

/** Escapes of MySQL's string literals; any other character after a backslash stands for itself. */
const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  b: "\b",
  n: "\n",
  r: "\r",
  t: "\t",
  Z: "\u001a",
};

const unescaped = (text: string) =>
  text.replaceAll(/\\([^])|''/g, (_, escaped?: string) =>
    escaped === undefined ? "'" : (escapes[escaped] ?? escaped),
  );

const unquoted = (name: string) => name.trim().replaceAll(/[`"]/g, "");

/** The names of the columns in the parentheses of CREATE TABLE: each is at the beginning of a line, like the names of keys. */
const columnNames = (definitions: string) =>
  Array.from(
    definitions.matchAll(/^\s*(?!(?:\w+\s+)?key\b|constraint\b)[`"]?([\w$]+)/gim),
    ([, name = ""]) => name,
  );
