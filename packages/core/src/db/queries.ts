import { CompiledQuery } from "kysely";
import type { Em } from "./em.ts";

/** What can run a statement with parameters `$1`, `$2` …: a pool, a connection, or a transaction of the ORM. */
export interface Queries {
  query<Row extends object>(
    text: string,
    values: unknown[],
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
}

/** The transaction of an entity manager. */
export const queriesOf = (tx: Em): Queries => ({
  async query<Row extends object>(text: string, values: unknown[]) {
    const { rows, numAffectedRows } = await tx.getKysely().executeQuery(CompiledQuery.raw(text, values));
    return { rows: rows as Row[], rowCount: Number(numAffectedRows ?? rows.length) };
  },
});
