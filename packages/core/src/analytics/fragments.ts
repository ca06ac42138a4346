/** Maximum of cached characters, apart from those of the last `load`. */
const maxLength = 4_000_000;

/**
 * Caches the cells of links, clients or referrers by id, as a format has them. Its size is bounded, since an export can have any
 * number of rows; most of them share their cells with earlier rows.
 */
export class Fragments<Id extends string | number, Value extends { readonly length: number } = string> {
  readonly #read: (ids: Id[]) => Promise<Iterable<readonly [Id, Value]>>;
  readonly #lengthOf: (value: Value) => number;
  readonly #known = new Map<Id, Value>();
  #length = 0;

  constructor(
    read: (ids: Id[]) => Promise<Iterable<readonly [Id, Value]>>,
    lengthOf: (value: Value) => number = ({ length }) => length,
  ) {
    this.#read = read;
    this.#lengthOf = lengthOf;
  }

  /** Loads the fragments of these ids, if they are missing. */
  async load(ids: readonly Id[]): Promise<void> {
    let missing = new Set<Id>();
    for (const id of ids) if (!this.#known.has(id)) missing.add(id);
    if (missing.size === 0) return;
    if (this.#length > maxLength) {
      this.#known.clear();
      this.#length = 0;
      missing = new Set(ids);
    }
    for (const [id, fragment] of await this.#read([...missing])) {
      this.#known.set(id, fragment);
      this.#length += this.#lengthOf(fragment);
    }
  }

  /** Undefined for an id that was not loaded, or is no longer kept. */
  get(id: Id): Value | undefined {
    return this.#known.get(id);
  }

  /** Throws for an id that was not in the last `load`. */
  of(id: Id): Value {
    const fragment = this.#known.get(id);
    if (fragment === undefined) throw new Error(`The fragment of ${id} was not loaded`);
    return fragment;
  }
}
