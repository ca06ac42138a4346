import { CompiledQuery } from "kysely";
import type { PoolClient, QueryConfig } from "pg";
import type { Em } from "./em.ts";

/** What runs single statements: a pool, a connection, or a transaction of the ORM. */
export type Database = Pick<PoolClient, "query">;

/** Runs statements with numbered parameters in the transaction of an entity manager. */
export function databaseOf(em: Em): Database {
  const query = ({ text, values = [] }: QueryConfig) =>
    em.getKysely().executeQuery(CompiledQuery.raw(text, values));
  return { query: query as never };
}
