import { setTimeout as sleep } from "node:timers/promises";
/** The message while the database is unreachable, and the seconds until a retry. */
export const databaseUnavailable = {
  message: "The database cannot be reached; try again shortly",
  retryAfter: 2,
} as const;

/** The message while the database lacks this version's tables: a migration is running, or none was started. */
export const databaseNotMigrated = {
  message: "The database does not have the tables of this version yet: core.migrate() creates them",
  retryAfter: 2,
} as const;

/** PostgreSQL's error codes, by the names of its manual */
const codes = {
  adminShutdown: "57P01",
  cannotConnectNow: "57P03",
  checkViolation: "23514",
  crashShutdown: "57P02",
  deadlockDetected: "40P01",
  diskFull: "53100",
  duplicateObject: "42710",
  duplicateTable: "42P07",
  lockNotAvailable: "55P03",
  queryCanceled: "57014",
  readOnlyTransaction: "25006",
  serializationFailure: "40001",
  tooManyConnections: "53300",
  undefinedColumn: "42703",
  undefinedTable: "42P01",
  uniqueViolation: "23505",
} as const;

const is =
  (...expected: readonly (keyof typeof codes)[]) =>
  (error: unknown): boolean =>
    expected.some((name) => codes[name] === codeOf(error));

/** Another row has the value of a unique index. */
export const isUniqueViolation = is("uniqueViolation");
/** The value does not pass a check, or belongs to no partition. */
export const isCheckViolation = is("checkViolation");
/** PostgreSQL ended one of several transactions that wait for each other. */
export const isDeadlock = is("deadlockDetected");
/** A replica dropped what the statement reads, or a transaction saw the change of another. */
export const isSerializationFailure = is("serializationFailure");
/** A lock was not free within `lock_timeout`. */
export const isLockTimeout = is("lockNotAvailable");
/** A statement ran longer than `statement_timeout`. */
export const isStatementTimeout = is("queryCanceled");
export const isMissingTable = is("undefinedTable");
/** Another process created it first: the table, its row type, or its row in the catalog. */
export const isAlreadyCreated = is("duplicateTable", "duplicateObject", "uniqueViolation");
/** A standby refuses a change. */
export const isReadOnly = is("readOnlyTransaction");

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
  codes.adminShutdown,
  codes.crashShutdown,
  codes.cannotConnectNow,
  codes.diskFull,
  codes.tooManyConnections,
  codes.queryCanceled,
  codes.serializationFailure,
  codes.deadlockDetected,
  codes.lockNotAvailable,
  codes.readOnlyTransaction,
  codes.undefinedTable,
  codes.undefinedColumn,
]);

/** No host takes changes. Callers see a database that is unreachable. */
export class NoPrimaryError extends Error {
  readonly code = codes.cannotConnectNow;
}

/** The server is a standby. */
export class ReadOnlyError extends Error {
  readonly code = codes.readOnlyTransaction;
}

/** The process gave the connection up; it fails as if the server had closed it. */
export class ConnectionClosedError extends Error {
  readonly code = codes.adminShutdown;
}

/** True if the server or the role has no room for a further connection; open ones keep working. */
export const isFull = (error: unknown): boolean =>
  error instanceof Error && (codeOf(error) === codes.tooManyConnections || poolerIsFull.test(error.message));

/** True if the server takes no further connection now: it is full, or it starts or stops (cannot_connect_now). */
export const isRefusedForNow = (error: unknown): boolean =>
  isFull(error) ||
  (error instanceof Error && !(error instanceof NoPrimaryError) && codeOf(error) === codes.cannotConnectNow);

/** PgBouncer gives no code of its own. */
const poolerIsFull = /^no more connections allowed/;

/** A lock was not free in time, or a deadlock, also of an error that MikroORM has wrapped. */
export const isLockFailure = (error: unknown): boolean =>
  causesOf(error).some(is("lockNotAvailable", "deadlockDetected"));

/** True if a table or column is missing. */
export const isNotMigrated = (error: unknown): boolean =>
  causesOf(error).some(is("undefinedTable", "undefinedColumn"));

/** True if the database is unreachable or temporarily unable; false if it rejected the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return causesOf(error).some((at) => {
    const code = codeOf(at);
    return unavailableCodes.has(code) || /^08(?!P01)/.test(code) || unavailableMessage.test(at.message);
  });
}

const unavailableMessage =
  /^(no more connections allowed|Connection terminated|timeout e(?:xceeded when trying to connect|xpired$)|Client has encountered|Query read timeout)/;

/** The code of PostgreSQL or of the network, also of an error that MikroORM has wrapped; "" without one. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}

/** An error and its causes, five at most. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let at = error; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at);
  return causes;
}

const retryMs = 500;

/**
 * Retries while the database is unreachable. Calls `onUnavailable` once, with the first error.
 * @throws other errors, such as a wrong password, and the reason of an aborted signal
 */
export async function waitForDatabase<T>(
  task: () => Promise<T>,
  { onUnavailable, signal }: { onUnavailable: (reason: unknown) => void; signal: AbortSignal },
): Promise<T> {
  for (let reported = false; ; await sleep(retryMs, undefined, { signal })) {
    signal.throwIfAborted();
    try {
      return await task();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      if (!reported) onUnavailable(error);
      reported = true;
    }
  }
}
