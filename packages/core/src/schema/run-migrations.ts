import { isLockFailure } from "../db/errors.ts";
import type { Base } from "../db/base.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Orm } from "../db/em.ts";
import { coreEvent } from "../kernel/events.ts";

/** Pause before a migration that did not get its locks tries again; those who waited for it run meanwhile. */
const pauseMs = 100;
/** Milliseconds between reports of one that waits */
const reportMs = 10_000;

/** An empty database is migrated in one transaction; any other one migration at a time. */
export async function runMigrations({ migrator }: Orm, pool: Pool, onEvent: Base["onEvent"]): Promise<void> {
  const pending = await migrator.getPending();
  const { rows } = await pool.query<{ is_new: boolean }>("select to_regclass('links') is null as is_new");
  if (rows[0]?.is_new) {
    await migrator.up();
    return;
  }
  for (const [at, { name }] of pending.entries()) {
    const began = performance.now();
    await untilLocked(
      () => migrator.up({ migrations: [name] }),
      (err) => {
        onEvent(coreEvent("migration_waiting", { migration: name, err }));
      },
    );
    const after_ms = Math.round(performance.now() - began);
    onEvent(coreEvent("migrated", { migration: name, step: at + 1, of: pending.length, after_ms }));
  }
}

/** Retries while others hold the needed locks: it gives up its own before PostgreSQL cancels someone else. */
async function untilLocked(task: () => Promise<unknown>, onWaiting: (error: unknown) => void): Promise<void> {
  for (let reported = performance.now(); ; await sleep(pauseMs * (0.5 + Math.random()))) {
    try {
      await task();
      return;
    } catch (error) {
      if (!isLockFailure(error)) throw error;
      if (performance.now() - reported < reportMs) continue;
      reported = performance.now();
      onWaiting(error);
    }
  }
}
