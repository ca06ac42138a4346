import { createServiceManager, readSettings, rootFolder, withDatabaseUrl } from "@terse/server";

/** What started this process, if it wants to know how the service is. */
export const serviceManager = () => createServiceManager(process.env);

/** @throws {SettingsError} if a setting is invalid or DATABASE_URL is missing */
export const readConfig = () => withDatabaseUrl(readSettings(process.env, rootFolder()), "the MCP host");
