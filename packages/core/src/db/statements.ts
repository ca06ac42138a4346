import { CompiledQuery } from "kysely";
import type { QueryConfig, QueryResultRow } from "pg";
import type { Em } from "./em.ts";

/** What runs single statements: a pool, a connection, or a transaction of the ORM. */
export interface Database {
  query<Row extends QueryResultRow>(statement: QueryConfig): Promise<{ rows: Row[] }>;
}

/** Runs statements with numbered parameters in the transaction of an entity manager. */
export const databaseOf = (em: Em): Database => ({
  async query<Row extends QueryResultRow>({ text, values = [] }: QueryConfig) {
    const { rows } = await em.getKysely().executeQuery(CompiledQuery.raw(text, values));
    return { rows: rows as Row[] };
  },
});
