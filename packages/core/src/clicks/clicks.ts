import { waitAtMost } from "../concurrency/wait-at-most.ts";
import { endConnections } from "../db/connection.ts";
import { openPool, withDedicatedPool } from "../db/pool.ts";
import type { RedirectDeps } from "../deps.ts";
import { coreEvent } from "../kernel/events.ts";
import type { ClickLogSettings, Clicks } from "./clicks.types.ts";
import { createDrain } from "./drain/drain.ts";
import { createBatchWriter } from "./drain/store/batch.ts";
import { createClickStore } from "./drain/store/store.ts";
import { rebuild } from "./drain/rollups/rebuild.ts";
import { openClickLog, type RawClick } from "./log/index.ts";

/**
 * Counting, by way of a click log that outlives the process, or without one straight into the database. Both end in
 * the same transaction.
 */
export function createClicks(deps: RedirectDeps, settings: ClickLogSettings | undefined): Clicks {
  return settings ? logged(deps, settings) : direct(deps);
}

/** A click of which only the link is known. */
const blank = { address: "", user_agent: "", referrer: "", country: "", flags: 0, variant: -1 };

/** A drain's connections: its own, since clients may take all others. A batch waits for a rebuild, or a busy disk. */
const drainPool = { size: 2, statementMs: 120_000, silenceMs: 150_000 };

/** What a batch under way may take when the core is closed. */
const lastBatchMs = 5000;

function logged(deps: RedirectDeps, settings: ClickLogSettings): Clicks {
  const { databaseUrl, onEvent, clock, randomBytes } = deps;
  const { folder, fsync = "interval", retentionDays, writes = true } = settings;
  const log = writes ? openClickLog({ folder, fsync, onEvent }) : null;
  const pool = openPool(databaseUrl, drainPool);
  const store = createClickStore(pool, clock, randomBytes);
  const drain = createDrain({ pool, store, folder, onEvent, clock, retentionDays });
  const append = (click: RawClick, done: () => void) => {
    if (log === null) throw new Error("This core was made to drain the click log, not to write it");
    log.append(click, done);
  };
  return {
    append,
    record: (click) =>
      new Promise((resolve) => append({ ...blank, time: clock().getTime(), ...click }, resolve)),
    drain: () => drain.once(),
    startDrain: () => drain.start(),
    rebuild: rebuilding(databaseUrl),
    stats: () => log?.stats() ?? null,
    async close() {
      await log?.close();
      // What is in the log stays there; this only spares a restart that finds it.
      await waitAtMost(lastBatchMs, drain.stop());
      await endConnections(pool);
    },
  };
}

const rebuilding =
  (databaseUrl: string): Clicks["rebuild"] =>
  (options) =>
    withDedicatedPool(databaseUrl, (pool) => rebuild(pool, options));

function direct({ databaseUrl, pool, onEvent, clock, randomBytes }: RedirectDeps): Clicks {
  const count = createBatchWriter(createClickStore(pool, clock, randomBytes));
  const record: Clicks["record"] = async (click) => {
    await count({ ...blank, time: clock().getTime(), ...click });
  };
  return {
    record,
    append(click, done) {
      record(click)
        .catch((err: unknown) => onEvent(coreEvent("click_lost", { err })))
        .finally(done);
    },
    drain: async () => 0,
    startDrain: () => {},
    rebuild: rebuilding(databaseUrl),
    stats: () => null,
    close: async () => {},
  };
}
