import type { PoolClient } from "pg";

/** Rows changed by one statement: no transaction takes long, and other writers get their turn. */
const batchSize = 2000;

/** Repeats a statement until it changes no more rows. The last parameter is the number of rows that it may change. */
export async function inBatches(database: PoolClient, text: string, values: unknown[]): Promise<void> {
  for (;;) {
    const { rowCount } = await database.query(text, [...values, batchSize]);
    if ((rowCount ?? 0) === 0) return;
  }
}
