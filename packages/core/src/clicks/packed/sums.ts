import { ByteReader, ByteWriter } from "./bytes.ts";

/**
 * Sums as bytes: what a link has on a UTC day by quarter hour and by value (`link_days`), and what an account has in a day or a
 * month by value (`account_sums`).
 *
 * They are any number of chunks, which are added up. A chunk is a sequence of whole numbers in LEB128:
 * the number of its quarter hours, these, the number of its dimensions, and these.
 * - A quarter hour: its distance from the one before times two, plus one unless it has exactly one click, of a new visitor,
 *   and no bots; in that case clicks, visitors and bots follow.
 * - A dimension: the number of its values times 32, plus its code; then each value: the distance of its id from the one
 *   before times two, plus one if it has more than one click; in that case these follow.
 * The function `unpack_sums` of the database reads the same.
 */

/** Counts of a quarter hour. */
interface QuarterCounts {
  clicks: number;
  visitors: number;
  bots: number;
}

/** Receives packed counts; a quarter hour or a value may come more than once. */
interface PackedReader {
  /** `quarter` is its position in the day, from 0 to 95. */
  quarterHour?(quarter: number, clicks: number, visitors: number, bots: number): void;
  /** The number of values of a dimension that follow. */
  dimension?(dimension: number, values: number): void;
  /** `dimension` is its code, `value` an id in `click_values`. */
  value?(dimension: number, value: number, clicks: number): void;
}

const dimensionCodes = 32;

export function readPacked(packed: Uint8Array, reader: PackedReader): void {
  const bytes = new ByteReader(packed);
  while (!bytes.atEnd) {
    let quarter = 0;
    for (let left = bytes.number(); left > 0; left--) {
      const entry = bytes.number();
      quarter += Math.floor(entry / 2);
      const isOne = entry % 2 === 0;
      const clicks = isOne ? 1 : bytes.number();
      const visitors = isOne ? 1 : bytes.number();
      const bots = isOne ? 0 : bytes.number();
      reader.quarterHour?.(quarter, clicks, visitors, bots);
    }
    for (let dimensions = bytes.number(); dimensions > 0; dimensions--) {
      const header = bytes.number();
      const dimension = header % dimensionCodes;
      const values = Math.floor(header / dimensionCodes);
      reader.dimension?.(dimension, values);
      let value = 0;
      for (let left = values; left > 0; left--) {
        const entry = bytes.number();
        // Without a division, since most are small and a report reads a hundred thousand.
        const isOne = (entry & 1) === 0;
        value += isOne ? entry / 2 : (entry - 1) / 2;
        const clicks = isOne ? 1 : bytes.number();
        reader.value?.(dimension, value, clicks);
      }
    }
  }
}

/** Adds up sums, and packs them into one chunk. */
export class PackedSums implements PackedReader {
  readonly #quarterHours = new Map<number, QuarterCounts>();
  /** By code */
  readonly #values = new Map<number, ValueCounts>();

  add(packed: Uint8Array): this {
    const read = new PackedSums();
    readPacked(packed, read);
    for (const [quarter, { clicks, visitors, bots }] of read.#quarterHours)
      this.quarterHour(quarter, clicks, visitors, bots);
    for (const [dimension, values] of read.#values) this.#of(dimension).merge(values);
    return this;
  }

  /** Takes the values of others away, which are among these. */
  subtract(others: PackedSums): void {
    for (const [dimension, values] of others.#values) {
      const left = this.#of(dimension).without(values);
      if (left.size > 0) this.#values.set(dimension, left);
      else this.#values.delete(dimension);
    }
  }

  quarterHour(quarter: number, clicks: number, visitors: number, bots: number): void {
    const counts = this.#quarterHours.get(quarter);
    if (counts === undefined) {
      this.#quarterHours.set(quarter, { clicks, visitors, bots });
      return;
    }
    counts.clicks += clicks;
    counts.visitors += visitors;
    counts.bots += bots;
  }

  value(dimension: number, value: number, clicks: number): void {
    this.#of(dimension).add(value, clicks);
  }

  /** The clicks of each value, by the code of its dimension. */
  byDimension(): ReadonlyMap<number, ReadonlyMap<number, number>> {
    return new Map(Array.from(this.#values, ([dimension, values]) => [dimension, new Map(values.entries())]));
  }

  get isEmpty(): boolean {
    return this.#quarterHours.size === 0 && this.#values.size === 0;
  }

  pack(): Buffer {
    const bytes = new ByteWriter();
    bytes.number(this.#quarterHours.size);
    let before = 0;
    for (const [quarter, { clicks, visitors, bots }] of inOrder(this.#quarterHours)) {
      const isOne = clicks === 1 && visitors === 1 && bots === 0;
      bytes.number((quarter - before) * 2 + (isOne ? 0 : 1));
      before = quarter;
      if (isOne) continue;
      bytes.number(clicks);
      bytes.number(visitors);
      bytes.number(bots);
    }
    bytes.number(this.#values.size);
    for (const [dimension, values] of inOrder(this.#values)) {
      bytes.number(values.size * dimensionCodes + dimension);
      let last = 0;
      values.forEach((value, clicks) => {
        bytes.number((value - last) * 2 + (clicks === 1 ? 0 : 1));
        last = value;
        if (clicks !== 1) bytes.number(clicks);
      });
    }
    return bytes.bytes();
  }

  #of(dimension: number): ValueCounts {
    let values = this.#values.get(dimension);
    if (values === undefined) this.#values.set(dimension, (values = new ValueCounts()));
    return values;
  }
}

function inOrder<T>(map: ReadonlyMap<number, T>): Iterable<[number, T]> {
  return map.size < 2 ? map : [...map].toSorted(([a], [b]) => a - b);
}

/**
 * Clicks by the id of a value, as a list of ids and one of clicks. Packed sums are sorted by id, so that two of them are added up in
 * one walk over both, in a tenth of the time that a map takes.
 */
class ValueCounts {
  #ids: number[] = [];
  #clicks: number[] = [];
  /** Ids ascend, each once */
  #isSorted = true;
  /** With more entries, those with the same id are added up before others are added */
  #most = 1024;

  add(id: number, clicks: number): void {
    const { length } = this.#ids;
    if (length > 0 && id <= (this.#ids[length - 1] as number)) this.#isSorted = false;
    this.#ids.push(id);
    this.#clicks.push(clicks);
    if (length < this.#most) return;
    this.#sort();
    this.#most = Math.max(this.#most, 2 * this.#ids.length);
  }

  merge(others: ValueCounts): void {
    this.#sort();
    others.#sort();
    const [ids, clicks, otherIds, otherClicks] = [this.#ids, this.#clicks, others.#ids, others.#clicks];
    this.#ids = [];
    this.#clicks = [];
    for (let at = 0, other = 0; at < ids.length || other < otherIds.length; ) {
      const id = ids[at] ?? Number.POSITIVE_INFINITY;
      const otherId = otherIds[other] ?? Number.POSITIVE_INFINITY;
      this.#ids.push(Math.min(id, otherId));
      let sum = 0;
      if (id <= otherId) sum += clicks[at++] as number;
      if (otherId <= id) sum += otherClicks[other++] as number;
      this.#clicks.push(sum);
    }
  }

  /** The clicks that are left without those of others; values without any are left out. */
  without(others: ValueCounts): ValueCounts {
    const left = new ValueCounts();
    const gone = new Map(others.entries());
    for (const [id, clicks] of this.entries()) {
      const remaining = clicks - (gone.get(id) ?? 0);
      if (remaining !== 0) left.add(id, remaining);
    }
    return left;
  }

  get size(): number {
    this.#sort();
    return this.#ids.length;
  }

  /** In the order of ids. */
  forEach(use: (id: number, clicks: number) => void): void {
    this.#sort();
    for (let at = 0; at < this.#ids.length; at++) use(this.#ids[at] as number, this.#clicks[at] as number);
  }

  entries(): [id: number, clicks: number][] {
    this.#sort();
    return this.#ids.map((id, at) => [id, this.#clicks[at] as number]);
  }

  /** Sorts by id, and adds up the clicks of equal ids. */
  #sort(): void {
    if (this.#isSorted) return;
    const [ids, clicks] = [this.#ids, this.#clicks];
    const order = ids.map((_, at) => at).toSorted((a, b) => (ids[a] as number) - (ids[b] as number));
    this.#ids = [];
    this.#clicks = [];
    for (const at of order) {
      const last = this.#ids.length - 1;
      if (this.#ids[last] === ids[at]) (this.#clicks[last] as number) += clicks[at] as number;
      else {
        this.#ids.push(ids[at] as number);
        this.#clicks.push(clicks[at] as number);
      }
    }
    this.#isSorted = true;
  }
}
