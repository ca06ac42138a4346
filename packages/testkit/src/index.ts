/** @terse/testkit: what the tests of several packages share. */

export { weakHash } from "./weak-hash.ts";
export { isMissing } from "./missing.ts";
export { type Exchange, exchange } from "./raw-http.ts";
export { compileCache, run } from "./run-program.ts";
export { tempFolder } from "./temp-folder.ts";
export { until } from "./until.ts";

/** A person's browser: requests that send it are counted as clicks. */
export const browserUserAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
export { sharedTexts, textsOf } from "./page-texts.ts";
