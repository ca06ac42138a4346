import { parseDatabaseUrl, placeOf, reasonOf } from "@terse/core/redirect";
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
