import { CompiledQuery } from "kysely";
import type { PoolClient, QueryConfig } from "pg";
import type { Em } from "./em.ts";

/** What runs single statements: a pool, a connection, or a transaction of the ORM. */
export type Database = Pick<PoolClient, "query">;

/** Runs statements with numbered parameters in the transaction of an entity manager. Their names make no difference. */
export function databaseOf(em: Em): Database {
  async function query(statement: string | QueryConfig, parameters: unknown[] = []) {
    const { text, values = [] } =
      typeof statement === "string" ? { text: statement, values: parameters } : statement;
    const { rows, numAffectedRows } = await em.getKysely().executeQuery(CompiledQuery.raw(text, values));
    return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
  }
  return { query: query as never };
}
