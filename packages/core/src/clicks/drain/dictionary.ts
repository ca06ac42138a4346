import type { Pool } from "pg";
import { quoted, sqlArray } from "./sql-array.ts";

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

/** The ids of entries; what the database has not seen gets one, and keeps it whatever becomes of the clicks. */
export function openDictionary(pool: Pool, table: string, columns: readonly string[]): Dictionary {
  const known = new Map<string, number>();
  const names = columns.join();
  const input = `unnest(${columns.map((_, at) => `$${at + 1}::text[]`).join()})`;

  return async (entries) => {
    const all = [...entries];
    const missing = all.filter(({ key }) => !known.has(key)).toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const ids = new Map(all.map((entry) => [entry, known.get(entry.key) ?? 0]));
    if (missing.length === 0) return ids;

    const values = columns.map((_, at) => sqlArray(missing.map(({ texts }) => quoted(texts[at] ?? ""))));
    await pool.query({
      name: `add-${table}`,
      text: `insert into ${table} (${names}) select * from ${input} on conflict do nothing`,
      values,
    });
    const { rows } = await pool.query<{ at: string; id: number }>({
      name: table,
      text: `select t.at, d.id from ${table} d join ${input} with ordinality as t (${names}, at) using (${names})`,
      values,
    });
    if (known.size + rows.length > most) known.clear();
    for (const { at, id } of rows) {
      const entry = missing[Number(at) - 1];
      if (entry === undefined) continue;
      ids.set(entry, id);
      known.set(entry.key, id);
    }
    return ids;
  };
}
