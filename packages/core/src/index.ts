/** @terse/core: the Terse URL shortener as a library. Everything public stands here. */

export { type Core, type CoreOptions, type Caller, createCore } from "./core.ts";
export { type AppRouter, appRouter } from "./router.ts";
export type { Account, Actor, Context, Reply } from "./context.ts";
export type { Access, Meta, RestMeta } from "./procedure.ts";
export { AppError, type ErrorCode, type Failure, toFailure } from "./errors.ts";
export {
  createPlanTable,
  type Feature,
  features,
  type Plan,
  planNames,
  type PlanTable,
  planWith,
} from "./plans.ts";
export type { Credentials } from "./credentials.ts";
export type { Accounts } from "./users/accounts.ts";
export type { NewSession, Sessions } from "./sessions/sessions.ts";
export type { ApiKey, NewApiKey } from "./api-keys/api-key.schema.ts";
export type { Link } from "./links/link.schema.ts";
export type { Importer, ImportResult, ImportRow } from "./links/import.ts";
export type { RateLimitState } from "./links/creation-limit.ts";
export type { Decision, Redirects, Visitor } from "./redirects/resolve.ts";
export type { Click, Clicks } from "./clicks/record.ts";
