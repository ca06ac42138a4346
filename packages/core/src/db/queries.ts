import { CompiledQuery } from "kysely";
import type { PoolClient } from "pg";
import type { Em } from "./em.ts";

/** What runs statements: a pool, a connection, or a transaction of the ORM, which takes a text and its parameters only. */
export type Queries = Pick<PoolClient, "query">;

/** The transaction of an entity manager; parameters are `$1`, `$2` … */
export function queriesOf(tx: Em): Queries {
  async function query(text: string, values: unknown[]) {
    const { rows, numAffectedRows } = await tx.getKysely().executeQuery(CompiledQuery.raw(text, values));
    return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
  }
  return { query } as unknown as Queries;
}
