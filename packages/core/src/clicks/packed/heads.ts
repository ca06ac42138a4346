import { ByteReader, ByteWriter } from "./bytes.ts";
import { PackedSums } from "./sums.ts";

/**
 * The head of sums: of each dimension the values with most clicks, so that a report on a large account need not read all of them. Of
 * a dimension that has more values, it also says how many clicks each of these has at most. As bytes: the number of such dimensions,
 * for each one its code and that limit, all in LEB128, and one chunk of sums.
 */

/** Sums of so many bytes and more have a head. */
export const headedBytes = 16_384;
/** A report lists a hundred. So many of each month usually prove which. */
const maxValues = 500;

/** The head of sums that take `packedBytes`; null if these are few, or the head would have everything. */
export function headOf(sums: PackedSums, packedBytes: number): Buffer | null {
  if (packedBytes < headedBytes) return null;
  const most = new PackedSums();
  const rests: number[] = [];
  for (const [dimension, values] of sums.byDimension()) {
    const rest = values.size > maxValues ? nthLargest(values, maxValues) : 0;
    if (rest > 0) rests.push(dimension, rest);
    for (const [value, clicks] of values) if (clicks > rest) most.value(dimension, value, clicks);
  }
  if (rests.length === 0) return null;
  const bytes = new ByteWriter();
  bytes.number(rests.length / 2);
  for (const number of rests) bytes.number(number);
  return Buffer.concat([bytes.bytes(), most.pack()]);
}

/** Counting from 0. */
const nthLargest = (values: ReadonlyMap<number, number>, place: number): number =>
  Float64Array.from(values.values())
    .toSorted()
    .at(-1 - place) as number;

/** Splits a head: by dimension how many clicks a value that is not in it has at most, and the sums of the others. */
export function readHead(head: Uint8Array): { rests: ReadonlyMap<number, number>; packed: Uint8Array } {
  const bytes = new ByteReader(head);
  const rests = new Map<number, number>();
  for (let left = bytes.number(); left > 0; left--) rests.set(bytes.number(), bytes.number());
  return { rests, packed: head.subarray(bytes.place) };
}
