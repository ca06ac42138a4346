import type { PoolClient, QueryConfig } from "pg";
import { quoted, sqlArray } from "../../../db/arrays.ts";
import { placeDimensions } from "../../dimension-names.ts";
import { botDimensions, campaignColumns, campaignTypes, clientDimensions } from "../../dimensions.ts";
import type { Batch } from "../prepare/prepare.ts";
import type { Entry } from "../prepare/value-ids.ts";

/**
 * A batch refers to rows that were read before its transaction began, and that are gone: the database was replaced by one
 * with older contents, such as a replica that lagged behind, or a salt was deleted meanwhile. Nothing was stored.
 */
export class OutdatedBatchError extends Error {
  constructor() {
    super("Rows that the batch refers to are gone: prepare it again");
  }
}

const maxAttempts = 3;

/** Runs work that prepares batches and stores them; again if one of them was outdated. */
export async function withCurrentBatches<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OutdatedBatchError) || attempt === maxAttempts) throw error;
    }
  }
}

/** Dictionaries whose rows are never deleted, except for links in `click_values`, when their account is erased. */
const dictionaries = {
  click_clients: { columns: clientDimensions, idsOf: ({ clientIds }: Batch) => clientIds },
  click_bots: { columns: botDimensions, idsOf: ({ botIds }: Batch) => botIds },
  click_places: { columns: placeDimensions, idsOf: ({ placeIds }: Batch) => placeIds },
  click_referrers: { columns: ["referrer"], idsOf: ({ referrerIds }: Batch) => referrerIds },
  click_values: { columns: ["dimension", "value"], idsOf: ({ valueIds }: Batch) => valueIds },
} as const;
type Dictionary = keyof typeof dictionaries;

/** Rows of a dictionary that are remembered for a connection, with about 100 bytes each */
const maxSeen = 50_000;

/**
 * Rows of dictionaries that were found on a connection. It leads to the same server until it ends, so they need not be looked for
 * again; accounts are, each time.
 */
export class SeenRows {
  readonly #keys = new Map<Dictionary, Map<number, string>>();

  /** Those of a batch that were not seen. */
  unseen(batch: Batch, dictionary: Dictionary): ReadonlyMap<Entry, number> {
    const keys = this.#of(dictionary);
    const ids: ReadonlyMap<Entry, number> = dictionaries[dictionary].idsOf(batch);
    return new Map([...ids].filter(([{ key }, id]) => keys.get(id) !== key));
  }

  add(dictionary: Dictionary, ids: ReadonlyMap<Entry, number>): void {
    const keys = this.#of(dictionary);
    if (keys.size + ids.size > maxSeen) keys.clear();
    for (const [{ key }, id] of ids) keys.set(id, key);
  }

  #of(dictionary: Dictionary): Map<number, string> {
    let keys = this.#keys.get(dictionary);
    if (keys === undefined) this.#keys.set(dictionary, (keys = new Map()));
    return keys;
  }
}

/**
 * Makes sure that all rows that a batch refers to by id are there, with the contents that the ids were found for. Ids alone would
 * not do: a replica that lagged gives the ids that it never saw to other values. `seen` is what this connection has seen.
 *
 * @throws {OutdatedBatchError} if a row is missing
 */
export async function requireRows(database: PoolClient, batch: Batch, seen: SeenRows): Promise<void> {
  const names = Object.keys(dictionaries) as Dictionary[];
  const unseen = new Map(names.map((name) => [name, seen.unseen(batch, name)]));
  const { rows } = await database.query<{ there: boolean }>(rowsAreThere(batch, unseen));
  if (rows[0]?.there !== true) throw new OutdatedBatchError();
  for (const [name, ids] of unseen) seen.add(name, ids);
}

/** Answers `[{there}]`. */
function rowsAreThere(
  { campaignIds, owners, days }: Batch,
  unseen: ReadonlyMap<Dictionary, ReadonlyMap<Entry, number>>,
): QueryConfig {
  const values: string[] = [];
  type Columns<Row> = Readonly<Record<string, readonly [type: string, of: (row: Row) => string | number]>>;
  const found = <Row>(table: string, rows: readonly Row[], columns: Columns<Row>) => {
    const names = Object.keys(columns).join();
    const lists = Object.values(columns).map(
      ([type, of]) => `$${values.push(sqlArray(rows.map(of)))}::${type}[]`,
    );
    return `(select count(*) from unnest(${lists.join()}) as t (${names})
      join ${table} using (${names})) = $${values.push(String(rows.length))}::int`;
  };
  const entries = (
    table: string,
    names: readonly string[],
    ids: ReadonlyMap<Entry, number>,
    types: Readonly<Record<string, string>> = {},
  ) => {
    const columns: Record<string, Columns<[Entry, number]>[string]> = { id: ["int", ([, id]) => id] };
    for (const [at, name] of names.entries())
      columns[name] = [types[name] ?? "text", ([{ texts }]) => quoted(texts[at] ?? "")];
    return found(table, [...ids], columns);
  };
  const checks = [
    ...Array.from(unseen, ([name, ids]) => entries(name, dictionaries[name].columns, ids)),
    entries("click_campaigns", campaignColumns, campaignIds, campaignTypes),
    found("users", owners, { id: ["uuid", ({ id }) => id], number: ["int", ({ number }) => number] }),
    found("click_salts", days, {
      day: ["date", ({ date }) => date],
      salt: ["bytea", ({ salt }) => quoted(`\\x${salt.toString("hex")}`)],
    }),
  ];
  return { name: "ids-are-there", text: `select ${checks.join(" and ")} as there`, values };
}
