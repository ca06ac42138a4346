/** @terse/core/redirect: what the short-link host alone needs of the core, without the ORM and the procedures. */

export { countryOf } from "./clicks/derive/country.ts";
export { HEAD, PREFETCH, PREVIEW, purposeHeaders, requestFlags } from "./clicks/derive/request-flags.ts";
export { waitForDatabase } from "./db/wait-for-database.ts";
export { AppError, type ErrorCode } from "./kernel/errors.ts";
export { type Failure, toFailure } from "./rpc/failure.ts";
export { createRedirectCore } from "./redirect-core.ts";
export type * from "./core-types.ts";
