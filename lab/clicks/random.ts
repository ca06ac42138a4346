/** A random number generator that returns the same numbers for the same seed. Not for secrets. */
export class Random {
  #state: number;

  /** Generators are independent if any part of their seeds differs. */
  constructor(...seed: readonly number[]) {
    this.#state = seed.reduce((state, part) => mix(state ^ part) + 0x9e3779b9, 0x2545f491);
  }

  /** A generator of other numbers in each run */
  static new(): Random {
    return new Random(Math.random() * 2 ** 32);
  }

  /** From 0 up to, but without, 1 */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    return (mix(this.#state) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, but without, `limit` */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  shuffled<T>(items: readonly T[]): T[] {
    const order = items.map((item) => ({ item, key: this.next() }));
    return order.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
  }
}

/** The finalizer of MurmurHash3: flipping one bit of the input flips about half the bits of the result. */
function mix(bits: number): number {
  let mixed = bits;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Draws indexes in proportion to their weights, at least one of which must be above zero. */
export class Weights {
  readonly #cumulative: Float64Array;

  constructor(weights: Iterable<number>) {
    let total = 0;
    this.#cumulative = Float64Array.from(weights, (weight) => (total += weight));
  }

  get total(): number {
    return this.#cumulative.at(-1) ?? 0;
  }

  draw(random: Random): number {
    const wanted = random.next() * this.total;
    let low = 0;
    let high = this.#cumulative.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#cumulative[middle] as number) <= wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The probability of an index */
  share(index: number): number {
    const before = index === 0 ? 0 : (this.#cumulative[index - 1] as number);
    return ((this.#cumulative[index] as number) - before) / this.total;
  }
}

/** Draws items in proportion to their weights. */
export function weighted<T>(table: readonly (readonly [item: T, weight: number])[]): (random: Random) => T {
  const weights = new Weights(table.map(([, weight]) => weight));
  return (random) => (table[weights.draw(random)] as readonly [T, number])[0];
}
