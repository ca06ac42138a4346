import { parseDatabaseUrl, placeOf, reasonOf, waitForDatabase } from "@terse/core/redirect";
import { logEvent } from "./events.ts";
import type { Logger } from "./log.ts";
import { type Settings, SettingsError } from "./settings/read.ts";
import { UserError } from "./user-error.ts";

/** Settings of a program that needs DATABASE_URL because it starts no database itself. */
export type SettingsWithDatabase = Settings & { readonly DATABASE_URL: string };

/** @throws {SettingsError} if DATABASE_URL is not set; `program` names who needs it */
export function withDatabaseUrl(settings: Settings, program: string): SettingsWithDatabase {
  const { DATABASE_URL } = settings;
  if (DATABASE_URL === null) {
    throw new SettingsError([`DATABASE_URL is not set: ${program} does not start a database of its own`]);
  }
  return { ...settings, DATABASE_URL };
}

/** Describes a DATABASE_URL without its password: `db1:5432, db2:5432/terse (DATABASE_URL)`. */
export function describeDatabase(databaseUrl: string): string {
  const { hosts } = parseDatabaseUrl(databaseUrl);
  const places = hosts.map(placeOf).filter(Boolean);
  const path = URL.parse(hosts[0] ?? "")?.pathname;
  return places.length > 0 ? `${places.join(", ")}${path} (DATABASE_URL)` : "DATABASE_URL";
}

/** The error for a database that refuses connections or has no usable schema. */
export const databaseError = (description: string, cause: unknown) =>
  new UserError(`The database at ${description} cannot be used: ${reasonOf(cause)}`, { cause });

/** The state of a migration that may still wait for the database. */
export interface Migration {
  /** True if the database is unreachable at the moment */
  readonly isWaiting: boolean;
  /** Resolves when the schema is up to date; rejects with a UserError if waiting cannot fix the problem. */
  readonly done: Promise<void>;
}

/** Migrates the database of this description to this version's schema; retries while the database is unreachable. */
export async function migrateDatabase(
  core: { migrate(): Promise<void> },
  description: string,
  { logger, signal }: { logger: Logger; signal: AbortSignal },
): Promise<Migration> {
  const away = Promise.withResolvers<true>();
  const done = waitForDatabase(() => core.migrate(), {
    onUnavailable(reason) {
      logEvent(logger, "database_waiting", {
        database: description,
        found: reasonOf(reason),
        err: reason,
      });
      away.resolve(true);
    },
    signal,
  }).catch((error: unknown) => {
    throw databaseError(description, error);
  });
  const isWaiting = await Promise.race([done.then(() => false), away.promise]);
  return { isWaiting, done };
}
