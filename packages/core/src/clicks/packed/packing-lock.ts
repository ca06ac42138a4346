import type { PoolClient } from "pg";

/** Only one connection packs at a time, and none during a rebuild. */
const lockKey = 7_230_003;

/** Whether this transaction may pack. If so, nobody else can until it ends; if not, another connection packs. */
export async function mayPack(database: PoolClient): Promise<boolean> {
  const { rows } = await database.query<{ free: boolean }>("select pg_try_advisory_xact_lock($1) as free", [
    lockKey,
  ]);
  return rows[0]?.free === true;
}

/** Keeps others from packing until the transaction ends. */
export async function waitForPacking(database: PoolClient): Promise<void> {
  await database.query("select pg_advisory_xact_lock($1)", [lockKey]);
}
