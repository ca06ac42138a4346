/** The message while the database is unreachable, and the seconds until a retry. */
export const databaseUnavailable = {
  message: "The database cannot be reached; try again shortly",
  retryAfter: 2,
} as const;

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
  "25006", // read_only_sql_transaction: a standby
  // The database is new or has the schema of an earlier version; a migration is about to run.
  "42P01", // undefined_table
  "42703", // undefined_column
]);

/** True if the database is unreachable or temporarily unable; false if it rejected the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  for (let depth = 0, at = error; at instanceof Error && depth < 5; depth++, at = at.cause) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === "string" && (unavailableCodes.has(code) || /^08(?!P01)/.test(code))) return true;
    if (
      /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered|Query read timeout)/.test(
        at.message,
      )
    ) {
      return true;
    }
  }
  return false;
}
