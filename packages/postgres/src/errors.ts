/** Returns the `code` of a system or database error (`ENOENT`, `3D000`, …), or undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Resolves with true on success and false after an error with one of these codes; rejects with other errors. */
export async function succeeds(promise: Promise<unknown>, ...codes: string[]): Promise<boolean> {
  const done = promise.then(() => true);
  return (await unless(done, ...codes)) ?? false;
}

/** Resolves with undefined after an error with one of these codes; rejects with other errors. */
export async function unless<T>(promise: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (codes.includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}
