export { weightsOf } from "./accept.ts";
export { bodyRoom, type HeldBody, readBody } from "./body.ts";
export {
  type Client,
  type ClientInfo,
  createClientInfo,
  rateLimitKey,
} from "./client-address.ts";
export {
  databaseError,
  describeDatabase,
  migrateDatabase,
  type SettingsWithDatabase,
  withDatabaseUrl,
} from "./database.ts";
export {
  type FetchApp,
  listen,
  type Listener,
  type ListeningSocket,
  type ListenOptions,
  type NodeApp,
} from "./listen.ts";
export { ListenError } from "./listen-error.ts";
export { logEvent, processEvents } from "./events.ts";
export { createLogger, createNodeLogger, eventLog, isTextLog, type Logger } from "./log.ts";
export type { LogLevel } from "./settings/table.ts";
export { isLoopbackAddress, isLoopbackHost } from "./network.ts";
export { adminHost, serveAdmin } from "./node/admin.ts";
export { createDraining } from "./node/draining.ts";
export { createServiceManager, type ServiceManager } from "./node/service-manager.ts";
export { createNode, measurements, type Node, type Report, type Source } from "./node/node.ts";
export { createProbes, type Probes } from "./node/probes.ts";
export { reportStalls, version } from "./node/process-metrics.ts";
export {
  anyOrigin,
  mcpFullScopes,
  mcpScopes,
  metadataPathsOf,
  metadataUrlOf,
  resourceMetadata,
  resourcesOf,
} from "./oauth.ts";
export { backgrounds, darkTokens, hashSource, lightTokens } from "./pages/style.ts";
export { countryOf, dateOf, numberOf } from "./pages/intl.ts";
export { chooseLanguage, isLanguagePath, languages, wordsFor } from "./pages/languages.ts";
export type { Words } from "./pages/words/en.ts";
export { bucketPage } from "./pages/bucket.ts";
export { logo, type Markup, type Page, policySource, type RenderedPage, renderPage } from "./pages/page.ts";
export { renderPasswordPage } from "./pages/password.ts";
export { commandOf, commands, rootFolder } from "./place.ts";
export { problemOf, problemType, wantsProblem } from "./problem.ts";
export { printable } from "@terse/core/redirect";
export { bearerToken, isForm, isSecure } from "./request.ts";
export { requestIdFrom, requestIdHeader } from "./request-id.ts";
export { measureRequests } from "./request-meter.ts";
export { createRequestSpans, nameSpan, nameSpans, type RequestSpans } from "./telemetry/requests.ts";
export { noTelemetry, startTelemetry, type Telemetry } from "./telemetry/telemetry.ts";
export { createRequestLog, onceSent, requestLog, type ServerEnv } from "./request-log.ts";
export {
  failureHeaders,
  health,
  rateLimitHeaders,
  securityHeadersOf,
  withSecurityHeaders,
} from "./response.ts";
export { securityTxt, securityTxtPath } from "./security-txt.ts";
export { connectionsOf } from "./settings/connections.ts";
export { coreOptionsOf } from "./settings/core-options.ts";
export { settingsTable } from "./settings/markdown.ts";
export type { OAuthProvider } from "./settings/oauth.ts";
export { readSettings, type Settings, SettingsError } from "./settings/read.ts";
export { type Draining, onShutdown } from "./shutdown.ts";
export { reasonOf } from "@terse/core/redirect";
export { exitBecause, explain, UserError } from "./user-error.ts";
