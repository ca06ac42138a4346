import { type Core, waitForDatabase } from "@terse/core";
import { databaseError, type Logger } from "@terse/server";
import type { Database } from "./database.ts";

/** A database that is there, or is being waited for. */
export interface AwaitedDatabase {
  readonly isAway: boolean;
  /** Resolves once it has this version's schema; rejects with a UserError where waiting does not mend what is wrong. */
  readonly there: Promise<void>;
}

/** Brings the database to this version's schema: at once or, where it is away, as soon as it comes. */
export async function awaitDatabase(
  core: Core,
  database: Database,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<AwaitedDatabase> {
  const away = Promise.withResolvers<true>();
  const there = waitForDatabase(() => core.migrate(), {
    onAway(reason) {
      logger.warn({ database: database.description, err: reason }, "waiting for the database");
      away.resolve(true);
    },
    signal,
  }).catch((error: unknown) => {
    throw databaseError(database.description, error);
  });
  const isAway = await Promise.race([there.then(() => false), away.promise]);
  return { isAway, there };
}
