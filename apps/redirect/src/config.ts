import { join } from "node:path";
import { readSettings, withDatabaseUrl } from "@terse/server";

/** @throws {SettingsError} where a setting is bad or DATABASE_URL is missing */
export const readConfig = () =>
  withDatabaseUrl(readSettings(process.env, join(import.meta.dirname, "../../..")), "the short-link host");
