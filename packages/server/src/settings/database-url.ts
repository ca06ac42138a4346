import { type Settings, SettingsError } from "./read.ts";

/** The settings of a program that uses a database without starting one. */
export type SettingsWithDatabase = Settings & { readonly DATABASE_URL: string };

/** @throws {SettingsError} where DATABASE_URL is not set; `who` says which program needs it */
export function withDatabaseUrl(settings: Settings, who: string): SettingsWithDatabase {
  const { DATABASE_URL } = settings;
  if (DATABASE_URL === null) {
    throw new SettingsError([`DATABASE_URL is not set: ${who} alone starts no database`]);
  }
  return { ...settings, DATABASE_URL };
}
