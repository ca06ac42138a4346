import { type Core, type CoreOptions, createCore, waitForDatabase } from "@terse/core";
import { coreOptionsOf, databaseError, logEvent, type Logger, reasonOf, type Settings } from "@terse/server";
import type { Database } from "./database.ts";

/** Creates the core; the database need not be reachable yet. */
export function openCore(
  settings: Settings,
  { url }: Database,
  more: Partial<Omit<CoreOptions, "databaseUrl">> = {},
): Promise<Core> {
  return createCore({ databaseUrl: url, ...coreOptionsOf(settings), ...more });
}

/** The state of a migration that may still wait for the database. */
export interface Migration {
  /** True if the database is unreachable at the moment */
  readonly isWaiting: boolean;
  /** Resolves when the schema is up to date; rejects with a UserError if waiting cannot fix the problem. */
  readonly done: Promise<void>;
}

/** Migrates the database to this version's schema; retries while the database is unreachable. */
export async function migrateDatabase(
  core: Core,
  database: Database,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<Migration> {
  const away = Promise.withResolvers<true>();
  const done = waitForDatabase(() => core.migrate(), {
    onUnavailable(reason) {
      logEvent(logger, "database_waiting", {
        database: database.description,
        found: reasonOf(reason),
        err: reason,
      });
      away.resolve(true);
    },
    signal,
  }).catch((error: unknown) => {
    throw databaseError(database.description, error);
  });
  const isWaiting = await Promise.race([done.then(() => false), away.promise]);
  return { isWaiting, done };
}
