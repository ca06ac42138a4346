import { readSettings, rootFolder, withDatabaseUrl } from "@terse/server";

/** @throws {SettingsError} if a setting is invalid or DATABASE_URL is missing */
export const readConfig = () =>
  withDatabaseUrl(readSettings(process.env, rootFolder()), "the short-link host");
