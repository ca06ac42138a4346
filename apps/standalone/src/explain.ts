import { AppError, toFailure } from "@terse/core";
import { WorkersError } from "@terse/redirect";
import { ListenError, SettingsError } from "@terse/server";

/** Something that a person can mend. The message is one line that says what and how. */
export class UserError extends Error {
  override readonly name = "UserError";

  constructor(message: string, options?: ErrorOptions) {
    super(message.replaceAll(/\s+/g, " ").trim(), options);
  }
}

/** One line for what a person can mend, a line for each bad setting; the whole error where the fault is ours. */
export function explain(error: unknown): string {
  if (error instanceof SettingsError) return error.problems.join("\n");
  const oneLine = [UserError, ListenError, WorkersError, AppError].some((kind) => error instanceof kind);
  if (oneLine && error instanceof Error) return error.message;
  if (toFailure(error).status === 503) return "The database went away: check that PostgreSQL is running";
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** What an error says, also where Node gathers one for each address tried and says nothing itself. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
