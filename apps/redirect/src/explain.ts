import { ListenError, SettingsError } from "@terse/server";
import { WorkersError } from "./workers/run.ts";

/** One line for what a person can mend; the whole error where the fault is ours. */
export function explain(error: unknown): string {
  const known = [SettingsError, ListenError, WorkersError, DatabaseError].some(
    (kind) => error instanceof kind,
  );
  if (known && error instanceof Error) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The database refuses, and waiting does not mend it. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The database (DATABASE_URL) cannot be used: ${reason.replaceAll(/\s+/g, " ")}`, { cause });
  }
}
