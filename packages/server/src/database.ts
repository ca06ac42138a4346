import { reasonOf, UserError } from "./user-error.ts";

/** DATABASE_URL for people, without a password: `localhost:5432/terse (DATABASE_URL)`; a socket's folder may be `?host=`. */
export function describeDatabase(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  const host = url?.host || url?.searchParams.get("host");
  return host ? `${host}${url?.pathname} (DATABASE_URL)` : "DATABASE_URL";
}

/** What is wrong with a database that refuses or, where nobody waits for it, is away. */
export const databaseError = (description: string, cause: unknown) =>
  new UserError(`The database at ${description} cannot be used: ${reasonOf(cause)}`, { cause });
