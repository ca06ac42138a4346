/** @terse/server/testing: what the tests of several listeners need. */

export { type Exchange, exchange } from "./exchange.ts";
export { run } from "./run.ts";

/** A person's browser, so that what it asks for is a click. */
export const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
