import { createServiceManager, readSettings, rootFolder, withDatabaseUrl } from "@terse/server";

/** What started this process, if it wants to know how the service is. */
export const serviceManager = () => createServiceManager(process.env);

/** Set by the main process for a worker that shall listen on a socket that is open already */
export const socketVariable = "TERSE_REDIRECT_SOCKET";
export const inheritsSocket = (): boolean => process.env[socketVariable] === "inherited";

/** @throws {SettingsError} if a setting is invalid or DATABASE_URL is missing */
export const readConfig = () =>
  withDatabaseUrl(readSettings(process.env, rootFolder()), "the short-link host");
