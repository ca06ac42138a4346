export { coreOptionsOf } from "./core-options.ts";
export { type SettingsWithDatabase, withDatabaseUrl } from "./database-url.ts";
export { settingsTable } from "./markdown.ts";
export type { OAuthProvider } from "./oauth.ts";
export { readSettings, type Settings, SettingsError } from "./read.ts";
