/** @terse/core/redirect: what the short-link host alone needs of the core, without the ORM and the procedures. */

export { countryOf } from "./clicks/derive/country.ts";
export { HEAD, PREFETCH, PREVIEW, purposeHeaders, requestFlags } from "./clicks/derive/request-flags.ts";
export { whenDatabaseThere } from "./db/when-there.ts";
export { AppError, type ErrorCode, type Failure, toFailure } from "./errors.ts";
export { createRedirectCore } from "./redirect-core.ts";
export type * from "./core-types.ts";
export type * from "./types.ts";
