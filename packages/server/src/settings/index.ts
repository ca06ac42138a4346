export { coreOptionsOf } from "./core-options.ts";
export { settingsTable } from "./markdown.ts";
export type { OAuthProvider } from "./oauth.ts";
export { readSettings, type Settings, SettingsError } from "./read.ts";
