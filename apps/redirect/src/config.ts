import { createServiceManager, readSettings, rootFolder, withDatabaseUrl } from "@terse/server";

/** The process that started this one, if it wants reports of the service's state. */
export const serviceManager = () => createServiceManager(process.env);

/** Set by the main process for a worker that shall listen on a socket that is open already */
export const socketVariable = "TERSE_REDIRECT_SOCKET";
export const inheritsSocket = (): boolean => process.env[socketVariable] === "inherited";

/** @throws {SettingsError} if a setting is invalid or DATABASE_URL is missing */
export const readConfig = () =>
  withDatabaseUrl(readSettings(process.env, rootFolder()), "the short-link host");
