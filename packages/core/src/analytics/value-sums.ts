import { packedCodes, readHead, readPacked } from "../clicks/index.ts";
import { IdSums } from "./id-sums.ts";

/** Packed sums that are added, or subtracted. Of a head, some values are not known. */
export interface SignedSums {
  sign: 1 | -1;
  packed: Buffer;
  isHead?: boolean;
}

/** Sums of the values of a dimension, by id. */
export interface DimensionSums {
  known: IdSums;
  /** How many clicks a value has at most that is in none of the heads: the sum of what each of them says */
  rest: number;
  /** By id: how much of that is said by the heads that have it; null without heads */
  covered: IdSums | null;
}

/** Adds up by dimension. */
export function addUp(packed: readonly SignedSums[]): Map<string, DimensionSums> {
  const byCode = Array.from(
    packedCodes,
    (): DimensionSums => ({ known: new IdSums(), covered: null, rest: 0 }),
  );
  for (const { sign, packed: bytes, isHead = false } of packed) {
    if (isHead) addHead(byCode, bytes);
    else
      readPacked(bytes, {
        value(dimension, value, clicks) {
          // Another version may have more dimensions.
          byCode[dimension]?.known.add(value, sign * clicks);
        },
      });
  }
  return new Map(Array.from(packedCodes, ([dimension, code]) => [dimension, byCode[code] as DimensionSums]));
}

/** Heads are added only. */
function addHead(byCode: readonly DimensionSums[], head: Buffer): void {
  const { rests, packed } = readHead(head);
  for (const [code, rest] of rests) {
    const sums = byCode[code];
    if (sums === undefined) continue;
    sums.covered ??= new IdSums();
    sums.rest += rest;
  }
  readPacked(packed, {
    value(dimension, value, clicks) {
      const sums = byCode[dimension];
      sums?.known.add(value, clicks);
      const rest = rests.get(dimension);
      if (rest !== undefined) sums?.covered?.add(value, rest);
    },
  });
}

/**
 * Whether heads tell the first values, and the clicks of each: no other value can have as many clicks as the last of them (Fagin's
 * threshold algorithm, without its second step). `count` is infinite if all values are wanted.
 */
export function areFirstKnown({ known, covered, rest }: DimensionSums, count: number): boolean {
  if (covered === null || rest === 0) return true;
  if (!Number.isFinite(count)) return false;
  const least = known.largest(count);
  if (least <= rest) return false;
  return known.atLeast(least - rest).every(({ id, sum }) => {
    const unknown = rest - covered.get(id);
    return unknown === 0 || sum + unknown < least;
  });
}
