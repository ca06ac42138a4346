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
export type { Accounts } from "./users/index.ts";
export type { NewSession, Sessions } from "./sessions/index.ts";
export type { ApiKey, NewApiKey } from "./api-keys/index.ts";
export type { Importer, ImportResult, ImportRow, Link, RateLimitState } from "./links/index.ts";
export type { Decision, Redirects, Visitor } from "./redirects/index.ts";
export type { Click, Clicks } from "./clicks/index.ts";
