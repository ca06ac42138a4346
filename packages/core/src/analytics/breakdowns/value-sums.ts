import { packedCodes } from "../../clicks/dimensions.ts";
import { readTopValues } from "../../clicks/packed/top-values.ts";
import { readPacked } from "../../clicks/packed/sums.ts";

/** Packed sums to add or subtract; with `isTopValues`, which are never subtracted, only the values with most clicks are known. */
export interface SignedSums {
  sign: 1 | -1;
  packed: Buffer;
  isTopValues?: boolean;
}

/** Sums of the values of a dimension, by id. */
export interface DimensionSums {
  /** Clicks, and the part of `rest` of the top values that have the value */
  known: IdSums;
  /** The most clicks that a value outside all top values can have: the sum of their limits */
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
    for (const { sign, packed, isTopValues = false } of all) {
      const top = isTopValues ? readTopValues(packed) : { limits: null, packed };
      const limits = this.#byCode.map((_, code) => top.limits?.get(code) ?? 0);
      for (const [code, sums] of this.#byCode.entries()) sums.rest += limits[code] as number;
      // Another version may have more dimensions.
      readPacked(top.packed, {
        dimension: (code, values) => this.#byCode[code]?.known.reserve(values),
        value: (code, value, clicks) => this.#byCode[code]?.known.add(value, sign * clicks, limits[code]),
      });
    }
    return this;
  }
}

/**
 * Whether top values are enough for the first values and the clicks of each: no other value can have as many clicks as the last of them (Fagin's
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

const firstSize = 64;

/**
 * Sums by id, and a second sum of each: a hash table in typed arrays, since a report may add up half a million numbers. Ids and sums
 * are in the order in which the ids came. The table has their places, counting from 1; 0 is a free one.
 */
export class IdSums {
  #places = new Int32Array(2 * firstSize);
  #ids = new Int32Array(firstSize);
  #sums = new Float64Array(firstSize);
  #seconds = new Float64Array(firstSize);
  #size = 0;

  /** `id` is a whole number from 0. */
  add(id: number, amount: number, second = 0): void {
    const at = this.#find(id);
    let place = this.#places[at] as number;
    if (place === 0) {
      if (this.#size === this.#ids.length) {
        this.reserve(this.#size + 1);
        this.add(id, amount, second);
        return;
      }
      place = ++this.#size;
      this.#places[at] = place;
      this.#ids[place - 1] = id;
    }
    this.#sums[place - 1] = (this.#sums[place - 1] as number) + amount;
    if (second !== 0) this.#seconds[place - 1] = (this.#seconds[place - 1] as number) + second;
  }

  /** Makes room for this many ids. */
  reserve(count: number): void {
    let size = this.#ids.length;
    while (size < count) size *= 4;
    if (size > this.#ids.length) this.#resize(size);
  }

  *[Symbol.iterator](): Generator<[id: number, sum: number], void> {
    for (let at = 0; at < this.#size; at++) yield [this.#ids[at] as number, this.#sums[at] as number];
  }

  /** The ids whose sum is at least `least`. */
  atLeast(least: number): { id: number; sum: number; second: number }[] {
    const found: { id: number; sum: number; second: number }[] = [];
    for (let at = 0; at < this.#size; at++) {
      const sum = this.#sums[at] as number;
      if (sum >= least) found.push({ id: this.#ids[at] as number, sum, second: this.#seconds[at] as number });
    }
    return found;
  }

  /** By id the sums from 1 that may be among the `count` largest: also those that equal the last of them. */
  most(count: number): Map<number, number> {
    return new Map(this.atLeast(Math.max(this.largest(count), 1)).map(({ id, sum }) => [id, sum]));
  }

  /** The `count`th largest sum; minus infinity if there are fewer. */
  largest(count: number): number {
    if (this.#size < count) return Number.NEGATIVE_INFINITY;
    // The largest ones so far, ascending.
    const most = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
    let least = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < this.#size; at++) {
      const sum = this.#sums[at] as number;
      if (sum <= least) continue;
      let place = 0;
      for (; place + 1 < count && (most[place + 1] as number) < sum; place++)
        most[place] = most[place + 1] as number;
      most[place] = sum;
      least = most[0] as number;
    }
    return least;
  }

  /** The place of an id in the table, present or not. */
  #find(id: number): number {
    const [places, ids] = [this.#places, this.#ids];
    const mask = places.length - 1;
    // Sixteen ids that follow each other stay together, as sums come in the order of ids.
    let at = (((Math.imul(id >>> 4, 0x9e3779b1) >>> 7) << 4) | (id & 15)) & mask;
    for (;;) {
      const place = places[at] as number;
      if (place === 0 || ids[place - 1] === id) return at;
      at = (at + 1) & mask;
    }
  }

  #resize(size: number): void {
    const [ids, sums, seconds] = [this.#ids, this.#sums, this.#seconds];
    this.#ids = new Int32Array(size);
    this.#ids.set(ids);
    this.#sums = new Float64Array(size);
    this.#sums.set(sums);
    this.#seconds = new Float64Array(size);
    this.#seconds.set(seconds);
    this.#places = new Int32Array(2 * size);
    for (let at = 0; at < this.#size; at++) this.#places[this.#find(ids[at] as number)] = at + 1;
  }
}
