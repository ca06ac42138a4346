/** A function of a text that remembers its latest results. */
export interface Memo<Value> {
  get(text: string): Value;
  /** How many results are held now. */
  readonly size: number;
}

/** No longer text is looked at; longer ones are cut, so that neither time nor memory is for the sender to choose. */
export const maxLength = 512;

/**
 * Remembers at most `limit` (two or more) results of `compute`. Two generations: when the young one is full it becomes
 * the old one, and what is used of that moves on, so a flood of new texts does not push out the usual ones.
 */
export function createMemo<Value>(compute: (text: string) => Value, limit: number): Memo<Value> {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();

  function keep(key: string, value: Value): Value {
    if (young.size >= limit / 2) [old, young] = [young, new Map()];
    young.set(key, value);
    return value;
  }

  return {
    get(text) {
      const key = text.length > maxLength ? text.slice(0, maxLength) : text;
      const known = young.get(key);
      if (known !== undefined) return known;
      const former = old.get(key);
      // A slice keeps the text that it was cut from alive: a whole segment of the log, perhaps. Hence the copy.
      const copy = Buffer.from(key).toString();
      return keep(copy, former ?? compute(copy));
    },
    get size() {
      return young.size + old.size;
    },
  };
}
