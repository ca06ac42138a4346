import { join } from "node:path";
import { readSettings, type Settings, SettingsError } from "@terse/server";

/** What this app needs of the settings to run alone: all of them, and a database that it does not start itself. */
export type McpConfig = Settings & { readonly DATABASE_URL: string };

/** @throws {SettingsError} where a setting is bad or DATABASE_URL is missing */
export function readConfig(): McpConfig {
  const settings = readSettings(process.env, join(import.meta.dirname, "../../.."));
  const { DATABASE_URL } = settings;
  if (DATABASE_URL === null) {
    throw new SettingsError(["DATABASE_URL is not set: the MCP host alone starts no database"]);
  }
  return { ...settings, DATABASE_URL };
}
