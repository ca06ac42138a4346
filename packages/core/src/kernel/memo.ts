/**
 * A map of at most `limit` (at least 2) entries, in two generations: when the young one is full, it becomes the old one, and entries
 * of the old one move back when they are used. A flood of new keys evicts no frequent one. Values are not undefined.
 */
export class RecentMap<Key, Value> {
  readonly #limit: number;
  readonly #copied: (key: Key) => Key;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();

  /** `copied` makes the key that is kept of one that is given. */
  constructor(limit: number, copied = (key: Key) => key) {
    this.#limit = limit;
    this.#copied = copied;
  }

  get(key: Key): Value | undefined {
    const known = this.#young.get(key);
    if (known !== undefined) return known;
    const former = this.#old.get(key);
    if (former !== undefined) this.set(key, former);
    return former;
  }

  set(key: Key, value: Value): void {
    if (this.#young.size >= this.#limit / 2) [this.#old, this.#young] = [this.#young, new Map()];
    this.#young.set(this.#copied(key), value);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}

/** A cache of a function's latest results, by text. */
export interface Memo<Value> {
  get(text: string): Value;
  /** The number of cached results */
  readonly size: number;
}

/** Longer texts are cut, so that the sender does not decide how much time or memory they cost. */
export const maxLength = 512;

/** Caches at most `limit` (at least 2) results of `compute`. Texts are cut after `longest` characters. */
export function createMemo<Value extends {} | null>(
  compute: (text: string) => Value,
  limit: number,
  longest = maxLength,
): Memo<Value> {
  const results = new RecentMap<string, Value>(limit, copyOf);
  return {
    get(text) {
      const key = text.length > longest ? text.slice(0, longest) : text;
      const known = results.get(key);
      if (known !== undefined) return known;
      const value = compute(copyOf(key));
      results.set(key, value);
      return value;
    },
    get size() {
      return results.size;
    },
  };
}

/** A slice keeps the whole text in memory that it was cut from. */
const copyOf = (text: string): string => Buffer.from(text).toString();
