export { bearerToken } from "./bearer.ts";
export { isForm, maxBodyBytes } from "./body.ts";
export {
  type Client,
  type ClientInfo,
  createClientInfo,
  type HeaderReader,
  rateLimitKey,
} from "./client-address.ts";
export { databaseError, describeDatabase } from "./database.ts";
export { failureHeaders, rateLimitHeaders, securityHeaders, withSecurityHeaders } from "./headers.ts";
export { health } from "./health.ts";
export { listen, type Listener, type ListenOptions } from "./listen.ts";
export { ListenError } from "./listen-error.ts";
export { isLoopbackAddress, isLoopbackHost } from "./loopback.ts";
export { createLogger, eventLog, type Logger, type LogLevel } from "./log.ts";
export { logo } from "./pages/logo.ts";
export { type Markup, type Page, type RenderedPage, renderPage } from "./pages/page.ts";
export { requestIdFrom, requestIdHeader } from "./request-id.ts";
export { requestLog, type ServerEnv } from "./request-log.ts";
export { isSecure } from "./secure.ts";
export {
  coreOptionsOf,
  type OAuthProvider,
  readSettings,
  type Settings,
  SettingsError,
  type SettingsWithDatabase,
  settingsTable,
  withDatabaseUrl,
} from "./settings/index.ts";
export { onShutdown } from "./shutdown.ts";
export { exitBecause, explain, reasonOf, UserError } from "./user-error.ts";
