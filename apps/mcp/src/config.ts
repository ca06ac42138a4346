import { createServiceManager, readSettings, rootFolder, withDatabaseUrl } from "@terse/server";

/** The process that started this one, if it wants reports of the service's state. */
export const serviceManager = () => createServiceManager(process.env);

/** @throws {SettingsError} if a setting is invalid or DATABASE_URL is missing */
export const readConfig = () => withDatabaseUrl(readSettings(process.env, rootFolder()), "the MCP host");
