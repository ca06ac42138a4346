import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Of V8's two optimizing compilers, the first one is for code that runs a little while. A process that only redirects runs little
 * code, most of it for ever: without it the process is as quick, and 7 MB smaller after some thousand redirects.
 */
export const makeSmallProcess = (): void => setFlagsFromString("--no-maglev");

/**
 * Gives back what only the start needed. It leaves garbage, and a young generation that grew because all that a start makes lives
 * on. Call it before the first visit, which would wait for it some ten milliseconds.
 */
export function forgetStart(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as NodeJS.GCFunction;
  setFlagsFromString("--no-expose-gc");
  // Only a collection as a last resort makes the young generation small again.
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
