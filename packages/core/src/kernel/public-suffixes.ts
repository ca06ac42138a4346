import { createRequire } from "node:module";
import type * as Tldts from "tldts";

let suffixes: typeof Tldts | undefined;

/** The public suffix list takes 10 MB: processes that only redirect never ask for it, and do not load it. */
export const publicSuffixes = (): typeof Tldts =>
  (suffixes ??= createRequire(import.meta.url)("tldts") as typeof Tldts);
