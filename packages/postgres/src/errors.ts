/** The `code` of a system or database error: `ENOENT`, `3D000`, …; undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

/** True when it is done, false after an error with one of these codes; other errors stay errors. */
export async function succeeds(promise: Promise<unknown>, ...codes: string[]): Promise<boolean> {
  const done = promise.then(() => true);
  return (await unless(done, ...codes)) ?? false;
}

/** Gives undefined in place of an error with one of these codes; other errors stay errors. */
export async function unless<T>(promise: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (codes.includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}
