import type { Question } from "./figures.ts";
import { without } from "../../kit/without.ts";

/** Downloads an export while counting what has arrived. */

export const formats = ["csv", "json", "parquet"] as const;
export type Format = (typeof formats)[number];

export interface Progress {
  bytes: number;
  /** Null if they cannot be counted while the file arrives */
  rows: number | null;
}

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
  return `/v1/analytics/export?${params.toString()}`;
}

/** Where a file grows before it is complete. */
interface Sink {
  write(chunk: Uint8Array<ArrayBuffer>): unknown;
  finish(name: string, type: string): unknown;
  /** Leaves no file behind */
  discard(): unknown;
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

function memorySink(): Sink {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  return {
    write: (chunk) => chunks.push(chunk),
    finish(name, type) {
      const url = URL.createObjectURL(new Blob(chunks, { type }));
      const link = Object.assign(document.createElement("a"), { href: url, download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    },
    discard: () => void chunks.splice(0),
  };
}

/**
 * Downloads an export into a sink, and returns the file's name and what it holds. Throws if it was refused, if the
 * connection ended before the file did, or as soon as `signal` aborts; then no file is left.
 */
export async function download(
  url: string,
  format: Format,
  sink: Sink,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: Progress) => void },
): Promise<Progress & { name: string }> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok || !response.body) throw new Error(await reasonOf(response));
    const counter = rowCounter(format);
    const reader = response.body.getReader();
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      await sink.write(value);
      bytes += value.length;
      onProgress({ bytes, rows: counter.add(value) });
    }
    const name = nameIn(response.headers.get("content-disposition")) ?? `clicks.${format}`;
    await sink.finish(name, response.headers.get("content-type") ?? "");
    return { bytes, rows: counter.rows(), name };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

async function reasonOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { error?: string } | null;
  return body?.error ?? `${response.status} ${response.statusText}`;
}

const nameIn = (disposition: string | null) => /filename="?([^";]+)/.exec(disposition ?? "")?.[1];

/**
 * Counts the rows of a file as it arrives: in CSV lines after the first that end outside of quotes, in JSON objects; of a
 * compressed file none.
 */
function rowCounter(format: Format) {
  const [newline, quote, opening] = [10, 34, 123];
  let lines = 0;
  let objects = 0;
  let isQuoted = false;
  const rows = () => (format === "csv" ? Math.max(0, lines - 1) : format === "json" ? objects : null);
  return {
    rows,
    add(chunk: Uint8Array): number | null {
      if (format === "parquet") return null;
      for (const byte of chunk) {
        if (format === "json") {
          // Each object begins its line, and a line feed inside of a string is escaped.
          if (byte === opening && lines === objects) objects++;
          if (byte === newline) lines++;
        } else if (byte === quote) isQuoted = !isQuoted;
        else if (byte === newline && !isQuoted) lines++;
      }
      return rows();
    },
  };
}
