import { inWorkspace } from "../../kit/api/workspace.ts";
import { memorySink, type Sink } from "../../kit/use-download.ts";
import { without } from "../../kit/without.ts";
import type { Question } from "./figures.ts";

/** The file of a report's clicks: its address, where it grows, and how its rows are counted while it arrives. */

export const formats = ["csv", "json", "parquet"] as const;
export type Format = (typeof formats)[number];

/** What a row takes in a file, roughly, for a choice of where the file grows. */
const bytesPerRow = 200;
/** More than this does not grow in the memory of the page. */
const mostInMemory = 128_000_000;

/** The address of an export. */
export function exportUrl(format: Format, question: Question): string {
  const params = new URLSearchParams({ format });
  if (format === "csv") params.set("bom", "true");
  for (const [name, value] of Object.entries<string | string[]>(without(question, "granularity")))
    for (const each of [value].flat()) params.append(name, each);
  return inWorkspace(`/v1/analytics/export?${params.toString()}`);
}

type SavePicker = (options: { suggestedName: string }) => Promise<{
  createWritable(): Promise<{
    write(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
    close(): Promise<void>;
    abort(): Promise<void>;
  }>;
}>;

/**
 * Chooses where an export of about so many rows grows: in memory if it is small; else in the file that the person picks,
 * in browsers that can write to it (File System Access). Null if neither is possible: then the browser has to download it.
 */
export async function sinkFor(rows: number, suggestedName: string): Promise<Sink | null> {
  if (rows * bytesPerRow <= mostInMemory) return memorySink();
  const { showSaveFilePicker } = window as { showSaveFilePicker?: SavePicker };
  if (!showSaveFilePicker) return null;
  const file = await (await showSaveFilePicker({ suggestedName })).createWritable();
  return { write: (chunk) => file.write(chunk), finish: () => file.close(), discard: () => file.abort() };
}

/**
 * Counts the rows of a file as it arrives: in CSV lines after the first that end outside of quotes, in JSON objects; of a
 * compressed file none.
 */
export function rowCounter(format: Format): (chunk: Uint8Array) => number | null {
  if (format === "parquet") return () => null;
  const [newline, quote, opening] = [10, 34, 123];
  let lines = 0;
  let objects = 0;
  let isQuoted = false;
  return (chunk) => {
    for (const byte of chunk) {
      if (format === "json") {
        // Each object begins its line, and a line feed inside of a string is escaped.
        if (byte === opening && lines === objects) objects++;
        if (byte === newline) lines++;
      } else if (byte === quote) isQuoted = !isQuoted;
      else if (byte === newline && !isQuoted) lines++;
    }
    return format === "csv" ? Math.max(0, lines - 1) : objects;
  };
}
