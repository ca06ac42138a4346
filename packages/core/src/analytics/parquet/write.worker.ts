import { parentPort, workerData } from "node:worker_threads";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { type Chunk, writeFlags, writeTexts, writeTimes } from "./column-chunks.ts";

/** Writes a file: each message is a group of rows, or null at the end, and is answered with bytes of the file. */

/** Columns whose texts many rows share: the texts of all of them together, by the place of each row. */
export interface SharedTexts {
  names: readonly string[];
  values: (readonly string[])[];
  places: Uint32Array;
}

/** Rows for the thread that writes a file; null ends the file. */
export interface RowGroup {
  count: number;
  /** Milliseconds since the epoch */
  times: Float64Array;
  /** 0 or 1 */
  unique: Uint8Array;
  shared: SharedTexts[];
}

/** The columns of a file, in order, as the thread gets them at its start. */
export interface FileOptions {
  columns: readonly string[];
  time: string;
  flag: string;
}

const { columns, time, flag } = workerData as FileOptions;
const bytes = new ByteWriter();
const elements = columns.map((name) => ({ name, repetition_type: "REQUIRED" as const, ...typeOf(name) }));
const file = new ParquetWriter({
  writer: bytes,
  createdBy: "terse",
  schema: [{ name: "clicks", num_children: columns.length }, ...elements],
});

function typeOf(name: string) {
  if (name === flag) return { type: "BOOLEAN" } as const;
  if (name !== time) return { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
  const logical_type = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" } as const;
  return { type: "INT64", converted_type: "TIMESTAMP_MILLIS", logical_type } as const;
}

function write({ count, times, unique, shared }: RowGroup): void {
  const start = bytes.offset;
  const textsOf = new Map(shared.flatMap((part) => dictionaries(part, count)));
  const chunks = elements.map((element): Chunk => {
    if (element.name === time) return writeTimes(file, element, times.subarray(0, count));
    if (element.name === flag) return writeFlags(file, element, unique.subarray(0, count));
    const { texts, places } = textsOf.get(element.name) ?? { texts: [""], places: new Uint32Array(count) };
    return writeTexts(file, element, texts, places);
  });
  file.num_rows += BigInt(count);
  file.row_groups.push({
    columns: chunks,
    num_rows: BigInt(count),
    total_byte_size: chunks.reduce(
      (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
      0n,
    ),
    total_compressed_size: BigInt(bytes.offset - start),
  });
}

/** By column: its texts, each once, and the place of each row's text among them. */
function dictionaries({ names, values, places }: SharedTexts, count: number) {
  const used: (readonly string[])[] = [];
  const numbers = new Int32Array(values.length).fill(-1);
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) {
    const place = places[row] as number;
    if (numbers[place] === -1) numbers[place] = used.push(values[place] as readonly string[]) - 1;
    rows[row] = numbers[place] as number;
  }
  return names.map((name, cell) => {
    const placeOf = new Map<string, number>();
    const placeOfValue = new Uint32Array(used.length);
    for (const [value, cells] of used.entries()) {
      const text = cells[cell] ?? "";
      let place = placeOf.get(text);
      if (place === undefined) placeOf.set(text, (place = placeOf.size));
      placeOfValue[value] = place;
    }
    return [
      name,
      { texts: [...placeOf.keys()], places: rows.map((row) => placeOfValue[row] as number) },
    ] as const;
  });
}

parentPort?.on("message", (group: RowGroup | null) => {
  if (group === null) void file.finish();
  else if (group.count > 0) write(group);
  const written = bytes.getBytes().slice();
  bytes.index = 0;
  parentPort?.postMessage(written, [written.buffer]);
});
