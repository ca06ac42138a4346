/** The message while the database is unreachable, and the seconds until a retry. */
export const databaseUnavailable = {
  message: "The database cannot be reached; try again shortly",
  retryAfter: 2,
} as const;

/** The message while the database lacks this version's tables: a migration is running, or nobody started one. */
export const databaseNotMigrated = {
  message: "The database does not have the tables of this version yet: core.migrate() creates them",
  retryAfter: 2,
} as const;

/** read_only_sql_transaction: a standby refuses a change */
export const readOnlyTransaction = "25006";

/** undefined_table and undefined_column */
const notMigratedCodes = new Set(["42P01", "42703"]);

const unavailableCodes = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
  "ENOTFOUND",
  "EPIPE",
  "ETIMEDOUT",
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "53100", // disk_full
  "53300", // too_many_connections
  "57014", // query_canceled, for its time limit
  "40001", // serialization_failure: a replica dropped what the statement reads
  "40P01", // deadlock_detected
  "55P03", // lock_not_available
  readOnlyTransaction,
  ...notMigratedCodes,
]);

/** No host takes changes. Callers see a database that is unreachable. */
export class NoPrimaryError extends Error {
  readonly code = "57P03"; // cannot_connect_now
}

/** True if the server or the role has no room for a further connection; those that are open go on working. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && (codeOf(error) === "53300" || poolerIsFull.test(error.message));

/** True if the server takes no further connection now: it is full, or it starts or stops (cannot_connect_now). */
export const isRefusedForNow = (error: unknown): boolean =>
  isFull(error) ||
  (error instanceof Error && !(error instanceof NoPrimaryError) && codeOf(error) === "57P03");

/** PgBouncer gives no code of its own. */
const poolerIsFull = /^no more connections allowed/;

/** True if a table or column is missing. */
export const isNotMigrated = (error: unknown): boolean =>
  causesOf(error).some((at) => notMigratedCodes.has(codeOf(at)));

/** True if the database is unreachable or temporarily unable; false if it rejected the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return causesOf(error).some((at) => {
    const code = codeOf(at);
    return unavailableCodes.has(code) || /^08(?!P01)/.test(code) || unavailableMessage.test(at.message);
  });
}

const unavailableMessage =
  /^(no more connections allowed|Connection terminated|timeout e(?:xceeded when trying to connect|xpired$)|Client has encountered|Query read timeout)/;

function codeOf(error: Error): string {
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : "";
}

/** An error and what caused it, five at most. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at);
  return causes;
}
