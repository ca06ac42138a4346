import type { PoolClient } from "pg";
import { to as copyTo } from "pg-copy-streams";

/** The signature, flags without a meaning, and an extension of no bytes. */
export const headBytes = 19;
/** A number of columns that no row has. */
export const tailBytes = 2;

/**
 * Reads all rows of a query as PostgreSQL sends them in binary, which is much faster than text for large values of `bytea`, and
 * for many rows. The query can have no parameters. After the head, a row is the number of its columns in two bytes, and of each
 * its length in four, and its bytes.
 */
export async function copyBytes(database: Pick<PoolClient, "query">, query: string): Promise<Buffer> {
  const stream = database.query(copyTo(`copy (${query}) to stdout (format binary)`));
  return Buffer.concat((await stream.toArray()) as Buffer[]);
}

/** The same, row by row; no column may be null. */
export async function copyRows(database: Pick<PoolClient, "query">, query: string): Promise<Buffer[][]> {
  const bytes = await copyBytes(database, query);
  const rows: Buffer[][] = [];
  for (let at = headBytes; ; ) {
    const columns = bytes.readInt16BE(at);
    at += 2;
    if (columns < 0) return rows;
    const row: Buffer[] = [];
    for (let column = 0; column < columns; column++) {
      const length = bytes.readInt32BE(at);
      at += 4;
      row.push(bytes.subarray(at, (at += length)));
    }
    rows.push(row);
  }
}
