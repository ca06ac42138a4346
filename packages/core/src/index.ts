/** @terse/core: the Terse URL shortener as a library. All its public names. */

export { actions as activityActions } from "./activity/actions.ts";
export type { Account, Actor, Context, RateLimitState, Reply, Source } from "./kernel/context.ts";
export type { Bucket } from "./buckets/bucket.schema.ts";
export { draftPage } from "./buckets/draft.ts";
export { createCore } from "./core.ts";
export { waitForDatabase } from "./db/wait-for-database.ts";
export type { KeyGrant } from "./kernel/context.ts";
export { AppError, type ErrorCode, invalidKey, invalidToken, statusByCode } from "./kernel/errors.ts";
export { hasLongHost } from "./kernel/host-names.ts";
export { coreEvents } from "./kernel/events.ts";
export { metricTable } from "./kernel/metrics.ts";
export {
  type Failure,
  maxAnonymousInBatch,
  maxBatchSize,
  maxListsInBatch,
  toFailure,
} from "./rpc/failure.ts";
export type { FileReply } from "./validation/files.ts";
export type { Link } from "./links/link.schema.ts";
export type { Access, Meta, RestMeta } from "./rpc/meta.ts";
export { callProcedure, type Definition, definitionOf, proceduresOf } from "./rpc/operation.ts";
export { type Plan, planNames } from "./kernel/plan-names.ts";
export { createPlanTable, demand, type Feature, features, type PlanTable, planWith } from "./kernel/plans.ts";
export { demandScope, type Scope, scopes } from "./kernel/scopes.ts";
export { isAccessToken } from "./oauth/access-token.ts";
export type { OperatorRouter } from "./operator/index.ts";
export { type AppRouter, appRouter } from "./router.ts";
export { ownerEmail } from "./users/new-user.ts";
export { parseOr400 } from "./validation/issues.ts";
export { otherReferrers } from "./clicks/derive/referrer.ts";
export { countryOf } from "./clicks/derive/country.ts";
export { HEAD, PREFETCH, PREVIEW, requestFlags } from "./clicks/derive/request-flags.ts";
export type * from "./core-types.ts";
