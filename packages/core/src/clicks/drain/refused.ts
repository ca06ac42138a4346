import { codeOf } from "../../db/errors.ts";

/** Whether the error concerns what a segment contains, which the database or this version refuses, so that others can still be counted. */
export function isRefused(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  // Class 21: cardinality violations; 22: data exceptions; 23: constraint violations.
  return /^2[123]...$/.test(codeOf(error));
}
