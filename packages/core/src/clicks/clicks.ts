import type { RedirectDeps } from "../deps.ts";
import type { ClickLogSettings, Clicks } from "../types.ts";
import { createDrain } from "./drain/drain.ts";
import { gatherInto } from "./drain/gather.ts";
import { createClickStore } from "./drain/store.ts";
import { rebuild } from "./drain/rebuild.ts";
import { openClickLog, type RawClick } from "./log/index.ts";

/**
 * Counting, by way of a click log that outlives the process, or without one straight into the database. Both end in
 * the same transaction.
 */
export async function createClicks(
  deps: RedirectDeps,
  settings: ClickLogSettings | undefined,
): Promise<Clicks> {
  const store = createClickStore(deps.pool, deps.clock, deps.randomBytes);
  return settings ? logged(deps, store, settings) : direct(deps, store);
}

/** A click of which only the link is known. */
const blank = { address: "", user_agent: "", referrer: "", country: "", flags: 0, variant: -1 };

type Store = ReturnType<typeof createClickStore>;

async function logged(
  { pool, onEvent, clock }: RedirectDeps,
  store: Store,
  settings: ClickLogSettings,
): Promise<Clicks> {
  const { folder, fsync = "interval", retentionDays, writes = true } = settings;
  const log = writes ? await openClickLog({ folder, fsync, onEvent }) : null;
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
    rebuild: (options) => rebuild(pool, options),
    stats: () => log?.stats() ?? null,
    async close() {
      await log?.close();
      // What is in the log stays there; this only spares a restart that finds it.
      await drain.stop();
    },
  };
}

function direct({ pool, onEvent, clock }: RedirectDeps, store: Store): Clicks {
  const count = gatherInto(store);
  const record: Clicks["record"] = async (click) => {
    await count({ ...blank, time: clock().getTime(), ...click });
  };
  return {
    record,
    append(click, done) {
      record(click)
        .catch((error: unknown) =>
          onEvent({ level: "error", message: "a click was not counted", err: error }),
        )
        .finally(done);
    },
    drain: async () => 0,
    startDrain: () => {},
    rebuild: (options) => rebuild(pool, options),
    stats: () => null,
    close: async () => {},
  };
}
