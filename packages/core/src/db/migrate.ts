import type { Deps } from "../deps.ts";

/** Any 64-bit number, the same for every node of a service. */
const migrationLock = 7_215_083_004;

/** Brings the database to this version's schema. Safe on several nodes at once: they queue at an advisory lock. */
export async function migrate({ orm, pool }: Pick<Deps, "orm" | "pool">): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await orm.migrator.up();
  } finally {
    await client.query("select pg_advisory_unlock($1)", [migrationLock]).catch(() => {});
    client.release();
  }
}
