import type { PoolClient, QueryConfig } from "pg";
import { type ColumnTypes, sqlRows } from "../../../db/arrays.ts";
import type { Batch } from "../prepare/prepare.ts";
import { dictionaries, type Entry, typeOf } from "../prepare/value-ids.ts";

/**
 * A batch refers to rows that were read before its transaction began, and that are gone: the database was replaced by
 * one with older contents, such as a lagging replica, or a salt was deleted in the meantime. Or links have moved to another
 * account. Nothing was stored.
 */
class OutdatedBatchError extends Error {
  constructor() {
    super("Rows that the batch refers to are gone or changed: prepare it again");
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

type Dictionary = keyof typeof dictionaries;

/** Rows of a dictionary that are remembered for a connection, with about 100 bytes each */
const maxSeen = 50_000;

/**
 * Rows of dictionaries that were found on a connection. It leads to the same server until it ends, so they need not
 * be looked up again; campaigns and accounts are, each time, since they may be erased.
 */
export class SeenRows {
  /** The keys of entries by id */
  readonly #keys = new Map<Dictionary, Map<number, string>>();

  /** Those of a batch not seen yet. */
  unseen({ values }: Batch, dictionary: Dictionary): readonly Entry[] {
    const keys = this.#keys.get(dictionary);
    return Array.from<Entry>(values[dictionary]).filter(({ key, id }) => keys?.get(id) !== key);
  }

  add(dictionary: Dictionary, entries: readonly Entry[]): void {
    if (dictionary === "campaigns") return;
    const keys = this.#keys.get(dictionary) ?? new Map<number, string>();
    this.#keys.set(dictionary, keys);
    if (keys.size + entries.length > maxSeen) keys.clear();
    for (const { key, id } of entries) keys.set(id, key);
  }
}

/**
 * Makes sure that all rows a batch refers to by id exist, with the contents the ids were found for. Ids alone are not
 * enough: a lagging replica gives ids it never saw to other values. `seen` has the rows this connection has seen.
 *
 * @throws {OutdatedBatchError} if a row is missing
 */
export async function requireRows(database: PoolClient, batch: Batch, seen: SeenRows): Promise<void> {
  const names = Object.keys(dictionaries) as Dictionary[];
  const unseen = new Map(names.map((name) => [name, seen.unseen(batch, name)]));
  const { rows } = await database.query<{ there: boolean }>(rowsAreThere(batch, unseen));
  if (rows[0]?.there !== true) throw new OutdatedBatchError();
  for (const [name, entries] of unseen) seen.add(name, entries);
}

/**
 * Makes sure, by what `addClickCounts` answers, that no link of the batch has another account than when it was prepared. The
 * links stay locked, so that none moves until the transaction ends.
 *
 * @throws {OutdatedBatchError} if one has
 */
export function requireOwners({ rows: [row] }: { rows: readonly { moved?: number }[] }): void {
  if ((row?.moved ?? 0) > 0) throw new OutdatedBatchError();
}

/** Answers `[{there}]`. */
function rowsAreThere(
  { owners, days }: Batch,
  unseen: ReadonlyMap<Dictionary, readonly Entry[]>,
): QueryConfig {
  const parameters: (string | Buffer)[] = [];
  const found = <Row extends object>(table: string, rows: readonly Row[], types: ColumnTypes<Row>) => {
    const given = sqlRows(parameters.length + 1, rows, types);
    const count = `$${parameters.push(...given.values, String(rows.length))}::int`;
    return `(select count(*) from ${given.table} join ${table} using (${Object.keys(types).join()})) = ${count}`;
  };
  const entries = (name: Dictionary, list: readonly Entry[]) => {
    const { table, columns } = dictionaries[name];
    const rows = list.map(({ id, texts }): Readonly<Record<string, unknown>> => {
      return { id, ...Object.fromEntries(columns.map((column, at) => [column, texts[at]])) };
    });
    return found(table, rows, {
      id: "int",
      ...Object.fromEntries(columns.map((column) => [column, typeOf(column)])),
    });
  };
  const checks = [
    ...Array.from(unseen, ([name, list]) => entries(name, list)),
    found("workspaces", owners, { id: "uuid", number: "int" }),
    found(
      "click_salts",
      days.map(({ date, salt }) => ({ day: date, salt })),
      { day: "date", salt: "bytea" },
    ),
  ];
  return { name: "ids-are-there", text: `select ${checks.join(" and ")} as there`, values: parameters };
}
