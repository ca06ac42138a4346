/** @terse/core: the Terse URL shortener as a library. All its public names. */

export {
  actions as activityActions,
  linkActions as activityOfLinks,
} from "./accounts/activity/activity.schema.ts";
export type {
  Account,
  Actor,
  Context,
  PersonalAccount,
  Person,
  RateLimitState,
  Reply,
  Source,
  KeyGrant,
} from "./kernel/context.ts";
export { type Role, roleNames } from "./kernel/roles.ts";
export type { OpenInvitation } from "./accounts/workspaces/workspace.schema.ts";
export type { Bucket } from "./links/buckets/bucket.schema.ts";
export { draftPage } from "./links/buckets/draft.ts";
export { createCore } from "./core.ts";
export { waitForDatabase } from "./db/errors.ts";
export { AppError, type ErrorCode, invalidKey, invalidToken, statusByCode } from "./kernel/errors.ts";
export {
  type Issue,
  issue,
  type IssueCode,
  issueCodes,
  issueMeanings,
  type IssueParams,
  sentenceOf,
} from "./kernel/issues.ts";
export { hasLongHost } from "./kernel/host-names.ts";
export { coreEvents } from "./kernel/events.ts";
export { metricTable } from "./kernel/metrics.ts";
export { asksForTooMuch, maxBatchSize, tooManyItems, type Failure, toFailure } from "./rpc/failure.ts";
export type { FileReply } from "./kernel/validation/files.ts";
export type { Link } from "./links/link.schema.ts";
export type { Access, Meta, RestMeta } from "./rpc/operation.ts";
export {
  callProcedure,
  type Definition,
  definitionOf,
  leastRoleOf,
  permissionsOf,
  proceduresOf,
} from "./rpc/operation.ts";
export { type Plan, planNames, type Scope, scopes } from "./kernel/names.ts";
export {
  createPlanTable,
  requireFeature,
  type Feature,
  features,
  type PlanTable,
  planWith,
} from "./kernel/plans.ts";
export { requireScope } from "./kernel/access.ts";
export { isAccessToken } from "./accounts/oauth/connection.schema.ts";
export type { OperatorRouter } from "./maintenance/operator/operator.procedures.ts";
export { type AppRouter, appRouter } from "./router.ts";
export { eventTypes } from "./outbox/event-types.ts";
export { ownerEmail } from "./kernel/names.ts";
export { countOf } from "./kernel/text.ts";
export { parseOr400 } from "./kernel/validation/issues.ts";
export { otherReferrers } from "./clicks/derive/referrer.ts";
export { countryOf } from "./clicks/derive/country.ts";
export { HEAD, PREFETCH, PREVIEW, requestFlags } from "./clicks/derive/bot-class.ts";
export type * from "./core-types.ts";
