/** CSV (RFC 4180) to records; pure, and in one pass over the text. */

interface CsvRecord {
  /** As a spreadsheet numbers its rows, from 1: blank lines count, and a cell with line breaks is in one row */
  row: number;
  cells: string[];
}

/** Why a text is not CSV, with its line as an editor numbers it. */
export class NotCsv extends Error {}

/** A file with a longer row is not a list of links. */
const maxRowLength = 256 * 1024;

/**
 * Yields the records of a text whose line ends are line feeds. Cells without quotes are trimmed, and blank lines are left out. A quote that does
 * not open a cell, or that more text follows, is part of the text.
 */
export function* recordsOf(text: string, delimiter: string): Generator<CsvRecord> {
  const nextDelimiter = finder(text, delimiter);
  const nextLineFeed = finder(text, "\n");
  let at = 0;
  let line = 1;
  for (let row = 1; at < text.length; row++) {
    const start = at;
    const cells: string[] = [];
    for (let isOver = false; !isOver; ) {
      const [cell, end] = cellAt(at);
      cells.push(cell);
      isOver = text[end] !== delimiter;
      at = end + 1;
      if (at - start > maxRowLength)
        throw new NotCsv(`line ${line}: the row has more than ${maxRowLength / 1024} KB`);
    }
    line += 1;
    if (cells.some((cell) => cell.trim() !== "")) yield { row, cells };
  }

  function cellAt(from: number): [cell: string, end: number] {
    let first = from;
    while (text[first] === " " || (text[first] === "\t" && delimiter !== "\t")) first += 1;
    const [quoted, after] = text[first] === '"' ? quotedAt(first + 1) : ["", first];
    const end = Math.min(nextDelimiter(after), nextLineFeed(after));
    // Not by a pattern, which would try every blank of a long row of them.
    let last = end;
    while (last > after && (text[last - 1] === " " || text[last - 1] === "\t")) last -= 1;
    const remaining = text.slice(after, last);
    if (text[first] !== '"') return [remaining, end];
    return [remaining === "" ? quoted : `"${quoted}"${remaining}`, end];
  }

  function quotedAt(from: number): [cell: string, after: number] {
    const opened = line;
    let cell = "";
    for (let start = from; ; ) {
      const quote = text.indexOf('"', start);
      if (quote === -1) throw new NotCsv(`line ${opened}: a quote opens here and is never closed`);
      const part = text.slice(start, quote);
      line += part.split("\n").length - 1;
      if (text[quote + 1] !== '"') return [cell + part, quote + 1];
      cell += `${part}"`;
      start = quote + 2;
    }
  }
}

/** Finds the next position of a character, for positions that only grow. */
function finder(text: string, wanted: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      const next = text.indexOf(wanted, from);
      found = next === -1 ? text.length : next;
    }
    return found;
  };
}
