/**
 * The first whole number from `low` up to, but not including, `high` for which `holds`; `high` if there is none. It must hold for all
 * numbers after one for which it holds.
 */
export function firstWhere(low: number, high: number, holds: (at: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Whole numbers in as few bits each as the largest needs, the lowest bits first. */

/** Bits for numbers from 0 up to, but not including, `count`. */
export const bitsFor = (count: number): number => (count <= 1 ? 0 : 32 - Math.clz32(count - 1));

/** `width` is at most 24. */
export function packBits(numbers: ArrayLike<number>, width: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil((numbers.length * width) / 8));
  if (width === 0) return bytes;
  let at = 0;
  let waiting = 0;
  let bits = 0;
  for (let position = 0; position < numbers.length; position++) {
    waiting |= (numbers[position] as number) << bits;
    for (bits += width; bits >= 8; bits -= 8) {
      bytes[at++] = waiting;
      waiting >>>= 8;
    }
  }
  if (bits > 0) bytes[at] = waiting;
  return bytes;
}

/** Reads as many numbers as `into` has positions. */
export function unpackBits<T extends Uint16Array | Int32Array>(bytes: Uint8Array, width: number, into: T): T {
  if (width === 0) return into;
  const mask = (1 << width) - 1;
  let at = 0;
  let waiting = 0;
  let bits = 0;
  for (let position = 0; position < into.length; position++) {
    while (bits < width) {
      waiting |= (bytes[at++] as number) << bits;
      bits += 8;
    }
    into[position] = waiting & mask;
    waiting >>>= width;
    bits -= width;
  }
  return into;
}

/** The positions from one up to, but not including, another whose number fits (1), ascending; at most 2^16 positions. */
export function findBits(
  bytes: Uint8Array,
  width: number,
  fits: Uint8Array,
  [from, to]: readonly [number, number],
): Uint16Array {
  const found = new Uint16Array(Math.max(0, to - from));
  const mask = (1 << width) - 1;
  const first = from * width;
  let at = first >>> 3;
  let waiting = (bytes[at++] as number) >>> (first & 7);
  let bits = 8 - (first & 7);
  let kept = 0;
  for (let position = from; position < to; position++) {
    while (bits < width) {
      waiting |= (bytes[at++] as number) << bits;
      bits += 8;
    }
    found[kept] = position;
    kept += fits[waiting & mask] as number;
    waiting >>>= width;
    bits -= width;
  }
  return found.subarray(0, kept);
}

/** Bytes after the last number that `unpackSome` may look at */
export const bitsPadding = 2;

/** Reads the numbers at some positions, of at most 16 bits. */
export function unpackSome(bytes: Uint8Array, width: number, positions: Uint16Array): Uint16Array {
  const numbers = new Uint16Array(positions.length);
  if (width === 0) return numbers;
  const mask = (1 << width) - 1;
  for (let at = 0; at < positions.length; at++) {
    const bit = (positions[at] as number) * width;
    const byte = bit >>> 3;
    const three =
      (bytes[byte] as number) | ((bytes[byte + 1] as number) << 8) | ((bytes[byte + 2] as number) << 16);
    numbers[at] = (three >>> (bit & 7)) & mask;
  }
  return numbers;
}
