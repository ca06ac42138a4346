import { endianness } from "node:os";
import type { Day } from "./days.ts";

/** Where the halves of a number of 64 bits are in memory. */
const highAt = endianness() === "LE" ? 1 : 0;
const lowAt = 1 - highAt;

/** The first click of each visitor of a batch. A visitor is a number of 64 bits, by link and UTC day. */
export class Visitors {
  /** By where a visitor is: its place in the lists below plus one, 0 for none. Its length is a power of two */
  #table = new Int32Array(1024);
  #size = 0;
  /** Each visitor's higher and lower 32 bits */
  #high = new Int32Array(512);
  #low = new Int32Array(512);
  /** Each visitor's first click, by its place among the batch's clicks */
  #clicks = new Int32Array(512);
  /** By the place of a day */
  readonly #days = new Map<Day, number[]>();

  get size(): number {
    return this.#size;
  }

  /** Notes a visitor, as `visitorHash` returns it, with the place of its click, unless an earlier click was its first. */
  add(day: Day, hash: string, click: number): void {
    const high = wordIn(hash, 0);
    const low = wordIn(hash, 4);
    const slot = this.#find(high, low);
    if (this.#table[slot] !== 0) return;
    const at = this.#size++;
    this.#high[at] = high;
    this.#low[at] = low;
    this.#clicks[at] = click;
    this.#table[slot] = at + 1;
    const ofDay = this.#days.get(day);
    if (ofDay === undefined) this.#days.set(day, [at]);
    else ofDay.push(at);
    if (this.#size === this.#high.length) this.#grow();
  }

  /** The place of a visitor's first click. */
  clickOf(high: number, low: number): number {
    return this.#clicks[(this.#table[this.#find(high, low)] as number) - 1] as number;
  }

  /**
   * All visitors: of each the place of its day, and the halves of its number. They are sorted by both, as on every node, so that no
   * two nodes wait for each other's rows.
   */
  sorted(): { days: Int32Array; high: (at: number) => number; low: (at: number) => number } {
    const days = new Int32Array(this.#size);
    const words = new Int32Array(this.#size * 2);
    let from = 0;
    for (const [{ place }, list] of [...this.#days].toSorted(([a], [b]) => a.place - b.place)) {
      const numbers = new BigInt64Array(words.buffer, from * 8, list.length);
      for (const [at, visitor] of list.entries()) {
        words[2 * (from + at) + highAt] = this.#high[visitor] as number;
        words[2 * (from + at) + lowAt] = this.#low[visitor] as number;
      }
      numbers.sort();
      days.fill(place, from, from + list.length);
      from += list.length;
    }
    return {
      days,
      high: (at) => words[2 * at + highAt] as number,
      low: (at) => words[2 * at + lowAt] as number,
    };
  }

  /** Where in the table a visitor is, or belongs. */
  #find(high: number, low: number): number {
    const mask = this.#table.length - 1;
    // They are hashes already.
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = (this.#table[slot] as number) - 1;
      if (at < 0 || (this.#low[at] === low && this.#high[at] === high)) return slot;
    }
  }

  #grow(): void {
    this.#high = doubled(this.#high);
    this.#low = doubled(this.#low);
    this.#clicks = doubled(this.#clicks);
    this.#table = new Int32Array(this.#table.length * 2);
    for (let at = 0; at < this.#size; at++)
      this.#table[this.#find(this.#high[at] as number, this.#low[at] as number)] = at + 1;
  }
}

/** Four bytes of a text whose characters are bytes. */
const wordIn = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) << 24) |
  (bytes.charCodeAt(at + 1) << 16) |
  (bytes.charCodeAt(at + 2) << 8) |
  bytes.charCodeAt(at + 3);

function doubled(list: Int32Array): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(list.length * 2);
  longer.set(list);
  return longer;
}
