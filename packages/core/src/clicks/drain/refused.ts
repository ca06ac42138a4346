/** Whether the error concerns what a segment contains, which the database or this version refuses, so that others can still be counted. */
export function isRefused(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true;
  const { code } = error as { code?: unknown };
  // Class 21: cardinality violations; 22: data exceptions; 23: constraint violations.
  return typeof code === "string" && /^2[123]...$/.test(code);
}
