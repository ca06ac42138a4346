import { join } from "node:path";
import { createServiceManager, readSettings, withDatabaseUrl } from "@terse/server";

/** What started this process, if it wants to know how the service is. */
export const serviceManager = () => createServiceManager(process.env);

/** @throws {SettingsError} if a setting is invalid or DATABASE_URL is missing */
export const readConfig = () =>
  withDatabaseUrl(readSettings(process.env, join(import.meta.dirname, "../../..")), "the MCP host");
