/** A cache of a function's latest results, by text. */
export interface Memo<Value> {
  get(text: string): Value;
  /** The number of cached results */
  readonly size: number;
}

/** Longer texts are cut, so that the sender does not decide how much time or memory they cost. */
export const maxLength = 512;

/**
 * Caches at most `limit` (at least 2) results of `compute`, in two generations: when the young one is full, it becomes
 * the old one, and entries of the old one move back when they are used. A flood of new texts evicts no frequent one.
 * Texts are cut after `longest` characters.
 */
export function createMemo<Value>(
  compute: (text: string) => Value,
  limit: number,
  longest = maxLength,
): Memo<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();

  function keep(key: string, value: Value): Value {
    if (young.size >= limit / 2) [old, young] = [young, new Map()];
    young.set(key, value);
    return value;
  }

  return {
    get(text) {
      const key = text.length > longest ? text.slice(0, longest) : text;
      const known = young.get(key);
      if (known !== undefined) return known;
      const former = old.get(key);
      // Copied, since a slice keeps the whole text in memory that it was cut from.
      const copy = Buffer.from(key).toString();
      return keep(copy, former ?? compute(copy));
    },
    get size() {
      return young.size + old.size;
    },
  };
}
