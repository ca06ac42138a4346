import { parentPort, workerData } from "node:worker_threads";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { FileOptions, RowGroup } from "./parquet.types.ts";

/** Writes a file: each message is a group of rows, or null at the end, and is answered with bytes of the file. */

const { columns, time, flag } = workerData as FileOptions;
const bytes = new ByteWriter();
const file = new ParquetWriter({
  writer: bytes,
  createdBy: "terse",
  schema: [
    { name: "clicks", num_children: columns.length },
    ...columns.map((name) => ({ name, repetition_type: "REQUIRED" as const, ...typeOf(name) })),
  ],
  // Of times only, by which readers leave out groups.
  statistics: false,
});

function typeOf(name: string) {
  if (name === flag) return { type: "BOOLEAN" } as const;
  if (name !== time) return { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
  const logical_type = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" } as const;
  return { type: "INT64", converted_type: "TIMESTAMP_MILLIS", logical_type } as const;
}

function write({ count, times, unique, shared }: RowGroup): void {
  const data = new Map<string, boolean[] | bigint[] | string[]>([
    [time, Array.from(times.subarray(0, count), BigInt)],
    [flag, Array.from(unique.subarray(0, count), (value) => value === 1)],
  ]);
  for (const { names, values, places } of shared)
    for (const [cell, name] of names.entries())
      data.set(
        name,
        Array.from(places.subarray(0, count), (place) => values[place]?.[cell] ?? ""),
      );
  void file.write({
    rowGroupSize: count,
    columnData: columns.map((name) => ({
      name,
      data: data.get(name) ?? [],
      ...(name === time && { encoding: "DELTA_BINARY_PACKED", statistics: true }),
      ...(name !== time && name !== flag && { encoding: "RLE_DICTIONARY" }),
    })),
  });
}

parentPort?.on("message", (group: RowGroup | null) => {
  if (group === null) void file.finish();
  else if (group.count > 0) write(group);
  const written = bytes.getBytes().slice();
  bytes.index = 0;
  parentPort?.postMessage(written, [written.buffer]);
});
