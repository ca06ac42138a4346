import type { PoolClient } from "pg";
import type { Em } from "./em.ts";

/** Runs single statements: a pool, or a connection. */
export type Database = Pick<PoolClient, "query">;

/** The ORM's interface to a connection, see `BoundConnection`. */
export interface Executor {
  executeQuery(statement: {
    sql: string;
    parameters: readonly unknown[];
  }): Promise<{ rows: object[]; numAffectedRows: bigint }>;
}

/** A new entity manager, with the same parameters, on a connection that has a transaction. */
export function emOn(database: Database, em: Em): Em {
  const own = em.fork();
  const executor: Executor = {
    async executeQuery({ sql, parameters }) {
      const { rows, rowCount } = await database.query<object>(sql, [...parameters]);
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
    },
  };
  own.setTransactionContext(executor);
  return own;
}
