import { join } from "node:path";
import { readSettings, withDatabaseUrl } from "@terse/server";

/** @throws {SettingsError} if a setting is invalid or DATABASE_URL is missing */
export const readConfig = () =>
  withDatabaseUrl(readSettings(process.env, join(import.meta.dirname, "../../..")), "the MCP host");
