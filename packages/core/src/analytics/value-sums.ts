import { packedCodes } from "../clicks/dimensions.ts";
import { readTopValues } from "../clicks/packed/top-values.ts";
import { readPacked } from "../clicks/packed/sums.ts";
import { IdSums } from "./id-sums.ts";

/** Packed sums that are added, or subtracted. Of a head, some values are not known. */
export interface SignedSums {
  sign: 1 | -1;
  packed: Buffer;
  isHead?: boolean;
}

/** Sums of the values of a dimension, by id. */
export interface DimensionSums {
  /** Clicks, and how much of `rest` is said by the heads that have the value */
  known: IdSums;
  /** How many clicks a value has at most that is in none of the heads: the sum of what each of them says */
  rest: number;
}

/** Sums of values by dimension. */
export class ValueSums {
  readonly #byCode = Array.from(packedCodes, (): DimensionSums => ({ known: new IdSums(), rest: 0 }));

  /** Undefined for a dimension that packed sums do not have. */
  of(dimension: string): DimensionSums | undefined {
    const code = packedCodes.get(dimension);
    return code === undefined ? undefined : this.#byCode[code];
  }

  entries(): [dimension: string, sums: DimensionSums][] {
    return Array.from(packedCodes, ([dimension, code]) => [dimension, this.#byCode[code] as DimensionSums]);
  }

  add(all: readonly SignedSums[]): this {
    for (const { sign, packed, isHead = false } of all) {
      if (isHead) this.#addHead(packed);
      else this.#addPacked(packed, sign, []);
    }
    return this;
  }

  /** Heads are added only. */
  #addHead(head: Buffer): void {
    const { limits, packed } = readTopValues(head);
    const restOf = this.#byCode.map((_, code) => limits.get(code) ?? 0);
    for (const [code, sums] of this.#byCode.entries()) sums.rest += restOf[code] as number;
    this.#addPacked(packed, 1, restOf);
  }

  /** `restOf` has by code what a head says of other values. */
  #addPacked(packed: Uint8Array, sign: 1 | -1, restOf: readonly number[]): void {
    // Another version may have more dimensions.
    readPacked(packed, {
      dimension: (dimension, values) => this.#byCode[dimension]?.known.reserve(values),
      value: (dimension, value, clicks) =>
        this.#byCode[dimension]?.known.add(value, sign * clicks, restOf[dimension]),
    });
  }
}

/**
 * Whether heads tell the first values, and the clicks of each: no other value can have as many clicks as the last of them (Fagin's
 * threshold algorithm, without its second step). `count` is infinite if all values are wanted.
 */
export function areFirstKnown({ known, rest }: DimensionSums, count: number): boolean {
  if (rest === 0) return true;
  if (!Number.isFinite(count)) return false;
  const least = known.largest(count);
  if (least <= rest) return false;
  return known.atLeast(least - rest).every(({ sum, second: covered }) => {
    const unknown = rest - covered;
    return unknown === 0 || sum + unknown < least;
  });
}
