import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { PoolClient } from "pg";
import {
  type ClickBatch,
  type ClickPosition,
  type Coded,
  comparePositions,
  positionAt,
} from "./clicks-in-order.ts";
import { clicksWithCells, exportColumns, type ExportQuestion, type SharedCells } from "./cells.ts";
import type { ShortHost } from "../../kernel/host-names.ts";
import { dayMs, utcDate } from "../../kernel/time.ts";
import { csvCell } from "@terse/importers/csv";

/** The approximate length of a piece; longer strings are expensive, as they are not collected with the young ones. */
const pieceLength = 64 * 1024;
/** Milliseconds of work after which redirects get a turn */
const maxMs = 5;

/**
 * Yields a file with an account's clicks in a window that fit filters, without bots, oldest first, in pieces. After a failure,
 * a question with the same `position` continues the file.
 */
export async function* exportPieces(
  database: PoolClient,
  shortHost: ShortHost,
  writer: Writer,
  question: ExportQuestion,
): AsyncGenerator<string, void> {
  const rowsOf = createRows(writer);
  const { position } = question;
  const isBegun = position.after !== null;
  let piece = isBegun ? "" : writer.head(exportColumns);
  let between = isBegun ? writer.between : "";
  let since = performance.now();
  /** The last click of a piece that is long enough */
  let last: ClickPosition | null = null;
  for await (const { run, cells } of clicksWithCells(database, shortHost, question, writer.fragment)) {
    const { batch } = run;
    const rowOf = rowsOf(batch, cells);
    for (let at = run.from; at < run.to; at++) {
      // Two nodes may have used the same id: these clicks are in one piece, since a file continues after an id.
      if (last !== null && comparePositions(last, positionAt(batch, at)) !== 0) {
        position.after = last;
        last = null;
        yield piece;
        piece = "";
        if (performance.now() - since >= maxMs) {
          await yieldToEventLoop();
          since = performance.now();
        }
      }
      piece += between + rowOf(batch.chosen[at] as number);
      between = writer.between;
      if (piece.length >= pieceLength) last = positionAt(batch, at);
    }
  }
  yield piece + writer.tail;
}

/** Returns what makes the rows of a batch: a function from a click to its text. */
function createRows({ begin, afterTimestamp, fragment, end }: Writer) {
  const timestampOf = timeTexts();
  const uniqueText = { true: fragment([["unique", true]]), false: fragment([["unique", false]]) };
  return (batch: ClickBatch, cells: SharedCells<string>): ((click: number) => string) => {
    const { link, client, referrer, channel, campaign, bot, place } = cells;
    const { times } = batch;
    const { values, positions } = batch.column("unique");
    const unique = { values: Array.from(values, (value) => uniqueText[`${value === 1}`]), positions };
    const text = (column: Coded<string>, click: number) =>
      column.values[column.positions[click] as number] as string;
    return (click) =>
      begin +
      timestampOf(times[click] as number) +
      afterTimestamp +
      text(link, click) +
      text(client, click) +
      text(referrer, click) +
      text(unique, click) +
      text(channel, click) +
      text(campaign, click) +
      text(bot, click) +
      text(place, click) +
      end;
  };
}

const padded = (count: number, digits: number) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, "0"));
const minutes = padded(24, 2).flatMap((hour) => padded(60, 2).map((minute) => `T${hour}:${minute}:`));
const seconds = padded(60, 2).map((second) => `${second}.`);
const milliseconds = padded(1000, 3).map((millisecond) => `${millisecond}Z`);

/** Returns `Date.prototype.toISOString` for many times, in milliseconds since the epoch: a fifth of its time. */
function timeTexts(): (time: number) => string {
  let [start, date] = [0, utcDate(0)];
  return (time) => {
    if (time < start || time >= start + dayMs) {
      start = Math.floor(time / dayMs) * dayMs;
      date = utcDate(start);
    }
    const second = Math.floor((time - start) / 1000);
    const minute = Math.floor(second / 60);
    return `${date}${minutes[minute]}${seconds[second - minute * 60]}${milliseconds[(time - start) % 1000]}`;
  };
}

/** Formats of exported clicks. Cells that many rows share are formatted once, as a fragment. */

export const formats = ["csv", "json", "parquet"] as const;

/** A row is `begin`, its timestamp, `afterTimestamp`, fragments and `end`: few strings, as files have millions of rows. */
export interface Writer {
  content_type: string;
  /** Before the first row */
  head(columns: readonly string[]): string;
  /** Between two rows, and after the last */
  between: string;
  tail: string;
  begin: string;
  afterTimestamp: string;
  /** Cells that are next to each other, with what separates them from the one before; a string in one piece, as it is copied often */
  fragment(cells: readonly (readonly [name: string, value: string | boolean])[]): string;
  end: string;
}

export const writers: Record<Exclude<(typeof formats)[number], "parquet">, Writer> = {
  // RFC 4180
  csv: {
    content_type: "text/csv; charset=utf-8",
    head: (columns) => `${columns.join()}\r\n`,
    between: "",
    tail: "",
    begin: "",
    afterTimestamp: "",
    fragment: (cells) => ["", ...cells.map(([, value]) => csvCell(String(value)))].join(),
    end: "\r\n",
  },
  json: {
    content_type: "application/json; charset=utf-8",
    head: () => "[",
    between: ",\n",
    tail: "]\n",
    begin: '{"timestamp":"',
    afterTimestamp: '"',
    fragment: (cells) => ["", JSON.stringify(Object.fromEntries(cells)).slice(1, -1)].join(),
    end: "}",
  },
};
