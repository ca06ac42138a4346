const free = -1;

/** Sums by id: a hash table in typed arrays, since a report may add up half a million numbers. */
export class IdSums {
  #ids = new Int32Array(64).fill(free);
  #sums = new Float64Array(64);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** `id` is a whole number from 0. */
  add(id: number, amount: number): void {
    let at = this.#placeOf(id);
    if (this.#ids[at] === free) {
      if ((this.#size + 1) * 2 > this.#ids.length) {
        this.#grow();
        at = this.#placeOf(id);
      }
      this.#ids[at] = id;
      this.#size += 1;
    }
    this.#sums[at] = (this.#sums[at] as number) + amount;
  }

  /** The sum of an id; 0 if there is none. */
  get(id: number): number {
    return this.#sums[this.#placeOf(id)] as number;
  }

  *[Symbol.iterator](): Generator<[id: number, sum: number], void> {
    for (const [at, id] of this.#ids.entries()) if (id !== free) yield [id, this.#sums[at] as number];
  }

  /** The ids whose sum is at least `least`. */
  atLeast(least: number): { id: number; sum: number }[] {
    const found: { id: number; sum: number }[] = [];
    for (let at = 0; at < this.#ids.length; at++) {
      const id = this.#ids[at] as number;
      const sum = this.#sums[at] as number;
      if (sum >= least && id !== free) found.push({ id, sum });
    }
    return found;
  }

  /** The `count`th largest sum; minus infinity if there are fewer. */
  largest(count: number): number {
    // The largest ones so far, ascending.
    const most = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
    let least = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < this.#sums.length; at++) {
      const sum = this.#sums[at] as number;
      if (sum <= least || this.#ids[at] === free) continue;
      let place = 0;
      for (; place + 1 < count && (most[place + 1] as number) < sum; place++)
        most[place] = most[place + 1] as number;
      most[place] = sum;
      least = most[0] as number;
    }
    return this.#size < count ? Number.NEGATIVE_INFINITY : least;
  }

  /** Where an id is, or where it goes. */
  #placeOf(id: number): number {
    const ids = this.#ids;
    const mask = ids.length - 1;
    // Sixteen ids that follow each other stay together, as sums come in the order of ids.
    let at = (((Math.imul(id >>> 4, 0x9e3779b1) >>> 7) << 4) | (id & 15)) & mask;
    for (let found = ids[at]; found !== free && found !== id; found = ids[at]) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [ids, sums] = [this.#ids, this.#sums];
    this.#ids = new Int32Array(ids.length * 4).fill(free);
    this.#sums = new Float64Array(ids.length * 4);
    for (const [from, id] of ids.entries()) {
      if (id === free) continue;
      const to = this.#placeOf(id);
      this.#ids[to] = id;
      this.#sums[to] = sums[from] as number;
    }
  }
}
