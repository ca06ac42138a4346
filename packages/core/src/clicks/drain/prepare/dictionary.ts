import type { Pool } from "pg";
import { quoted, sqlArray } from "../../../db/sql-array.ts";

/** A row of a dictionary: texts that stand there once, so that each click's row holds a number instead. */
export interface Entry {
  /** Its texts in the order of the dictionary's columns */
  texts: readonly string[];
  /** Different for different entries */
  key: string;
}

export type Dictionary = <T extends Entry>(entries: Iterable<T>) => Promise<ReadonlyMap<T, number>>;

/** Ids remembered up to a bound: most clicks look like one that was seen before. */
const most = 50_000;

/**
 * The ids of entries; what the database has not seen gets one, and keeps it whatever becomes of the clicks. An id has 32
 * bits, so that raw clicks stay small: with what a new referrer adds to the rollups, 2^31 of them take more than a terabyte.
 */
export function openDictionary(pool: Pool, table: string, columns: readonly string[]): Dictionary {
  const known = new Map<string, number>();
  const names = columns.join();
  const input = `unnest(${columns.map((_, at) => `$${at + 1}::text[]`).join()})`;
  const valuesOf = (entries: readonly Entry[]) =>
    columns.map((_, at) => sqlArray(entries.map(({ texts }) => quoted(texts[at] ?? ""))));

  async function find<T extends Entry>(entries: readonly T[]): Promise<ReadonlyMap<T, number>> {
    if (entries.length === 0) return new Map();
    const { rows } = await pool.query<{ at: string; id: number }>({
      name: table,
      text: `select t.at, d.id from ${table} d join ${input} with ordinality as t (${names}, at) using (${names})`,
      values: valuesOf(entries),
    });
    const found = new Map(rows.map(({ at, id }) => [entries[Number(at) - 1] as T, id]));
    for (const [{ key }, id] of found) known.set(key, id);
    return found;
  }

  /** Asked for before: an insert takes a new id from the sequence even where it does nothing. */
  async function add(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    await pool.query({
      name: `add-${table}`,
      text: `insert into ${table} (${names}) select * from ${input} on conflict do nothing`,
      // In the order of every node, so that none waits for another in a ring.
      values: valuesOf(entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))),
    });
  }

  return async <T extends Entry>(entries: Iterable<T>) => {
    // Not `known` itself, which may forget while the database is asked.
    const ids = new Map<T, number>();
    const unknown: T[] = [];
    for (const entry of entries) {
      const id = known.get(entry.key);
      if (id === undefined) unknown.push(entry);
      else ids.set(entry, id);
    }
    for (const [entry, id] of await find(unknown)) ids.set(entry, id);
    const missing = unknown.filter((entry) => !ids.has(entry));
    await add(missing);
    for (const [entry, id] of await find(missing)) ids.set(entry, id);
    for (const key of known.keys()) {
      if (known.size <= most) break;
      known.delete(key);
    }
    return ids;
  };
}
