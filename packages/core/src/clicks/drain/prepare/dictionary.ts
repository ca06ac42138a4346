import type { Pool } from "pg";
import { quoted, sqlArray } from "../../../db/arrays.ts";

/** A row of a dictionary table, which stores texts once, so that the rows of clicks refer to them by id. */
export interface Entry {
  /** In the order of the dictionary's columns, then what follows from them */
  texts: readonly string[];
  /** Different for different entries */
  key: string;
}

export interface Dictionary {
  /** Finds the ids of entries, and adds missing ones. */
  idsOf<T extends Entry>(entries: Iterable<T>): Promise<ReadonlyMap<T, number>>;
  /** Empties the cache of ids. */
  forget(): void;
}

/** Cached ids: most clicks have the values of earlier clicks. */
const maxCached = 50_000;

/**
 * Opens a table whose entries are never deleted. A column `derived` follows from the others and is corrected where it
 * differs. Columns are texts unless `types` says otherwise. Ids have 32 bits to keep raw clicks small: 2^31 referrers would need
 * more than a terabyte of sums first. An id can be lost with the server that gave it, so the transaction that uses ids checks
 * them, see `demandRows`.
 */
export function openDictionary(
  pool: Pool,
  table: string,
  columns: readonly string[],
  { derived, types = {} }: { derived?: string; types?: Readonly<Record<string, string>> } = {},
): Dictionary {
  const known = new Map<string, number>();
  const names = columns.join();
  /** In names of prepared statements, which have at most 63 characters */
  const suffix = derived === undefined ? table : `${table}-${derived}`;
  const all = derived === undefined ? columns : [...columns, derived];
  const input = `unnest(${all.map((name, at) => `$${at + 1}::${types[name] ?? "text"}[]`).join()})`;
  const valuesOf = (entries: readonly Entry[]) =>
    all.map((_, at) => sqlArray(entries.map(({ texts }) => quoted(texts[at] ?? ""))));

  async function find<T extends Entry>(entries: readonly T[]): Promise<ReadonlyMap<T, number>> {
    if (entries.length === 0) return new Map();
    const isOutdated = derived === undefined ? "false" : `d.${derived} is distinct from t.${derived}`;
    const { rows } = await pool.query<{ at: string; id: number; outdated: boolean }>({
      name: `find-${suffix}`,
      text: `select t.at, d.id, ${isOutdated} as outdated
             from ${table} d join ${input} with ordinality as t (${all.join()}, at) using (${names})`,
      values: valuesOf(entries),
    });
    const entryOf = ({ at }: { at: string }) => entries[Number(at) - 1] as T;
    await correct(rows.filter(({ outdated }) => outdated).map(entryOf));
    const found = new Map(rows.map((row) => [entryOf(row), row.id]));
    for (const [{ key }, id] of found) known.set(key, id);
    return found;
  }

  /** Writes the derived column of rows that another version wrote, or this one with other rules. */
  async function correct(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0 || derived === undefined) return;
    const same = columns.map((column) => `d.${column} = t.${column}`).join(" and ");
    await pool.query({
      name: `correct-${suffix}`,
      text: `update ${table} d set ${derived} = t.${derived} from (
               select d.id, t.${derived} from ${table} d join ${input} as t (${all.join()}) on ${same}
               order by d.id for no key update of d
             ) t where d.id = t.id`,
      values: valuesOf(entries),
    });
  }

  /** Called only for missing entries, since an insert takes an id from the sequence even if it does nothing. */
  async function add(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    await pool.query({
      name: `add-${suffix}`,
      text: `insert into ${table} (${all.join()}) select * from ${input} on conflict do nothing`,
      // In the same order on every node, so that no two nodes wait for each other's rows.
      values: valuesOf(entries.toSorted((a, b) => (a.key < b.key ? -1 : 1))),
    });
  }

  async function idsOf<T extends Entry>(entries: Iterable<T>): Promise<ReadonlyMap<T, number>> {
    // Not only in `known`, from which another call may evict them during the queries.
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
      if (known.size <= maxCached) break;
      known.delete(key);
    }
    return ids;
  }

  return { idsOf, forget: () => known.clear() };
}
