import { ByteReader, ByteWriter } from "./bytes.ts";
import { PackedSums } from "./sums.ts";

/**
 * The top values of sums: of each dimension the values with most clicks, so that a report on a large account need not read all of
 * them. Of a dimension that has more values, they also have a limit: how many clicks each of the others has at most. As bytes: the
 * number of such dimensions, for each one its code and that limit, all in LEB128, and one chunk of sums. They are in the column
 * `head` of `account_sums`.
 */

/** Sums of at least this many bytes have top values. */
export const bytesWithTopValues = 16_384;
/** A report lists a hundred; this many of each month usually prove which. */
const maxValues = 500;

/** The top values of sums that take `packedBytes`; null if these are few, or the top values would be all. */
export function topValuesOf(sums: PackedSums, packedBytes: number): Buffer | null {
  if (packedBytes < bytesWithTopValues) return null;
  const top = new PackedSums();
  const limits: number[] = [];
  for (const [dimension, values] of sums.byDimension()) {
    const limit = values.size > maxValues ? nthLargest(values, maxValues) : 0;
    if (limit > 0) limits.push(dimension, limit);
    for (const [value, clicks] of values) if (clicks > limit) top.value(dimension, value, clicks);
  }
  if (limits.length === 0) return null;
  const bytes = new ByteWriter();
  bytes.number(limits.length / 2);
  for (const number of limits) bytes.number(number);
  return Buffer.concat([bytes.bytes(), top.pack()]);
}

/** Counting from 0. */
const nthLargest = (values: ReadonlyMap<number, number>, at: number): number =>
  Float64Array.from(values.values())
    .toSorted()
    .at(-1 - at) as number;

/** Splits top values: by dimension the clicks that each other value has at most, and the sums of the top values. */
export function readTopValues(stored: Uint8Array): {
  limits: ReadonlyMap<number, number>;
  packed: Uint8Array;
} {
  const bytes = new ByteReader(stored);
  const limits = new Map<number, number>();
  for (let remaining = bytes.number(); remaining > 0; remaining--) limits.set(bytes.number(), bytes.number());
  return { limits, packed: stored.subarray(bytes.position) };
}
