import { printable } from "@terse/core/redirect";

/** A problem that the user can fix. The message says what and how, in one line for each problem. */
export class UserError extends Error {
  override readonly name: string = "UserError";

  constructor(message: string | readonly string[], options?: ErrorOptions) {
    const lines = [message].flat().map((line) => line.replaceAll(/\s+/g, " ").trim());
    super(lines.join("\n"), options);
  }
}

/** Returns why a program ends: the message of a UserError, or the stack of an unexpected error. */
export function explain(error: unknown): string {
  if (error instanceof UserError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Prints the reason to standard error and exits with code 1. */
export function exitBecause(error: unknown): never {
  process.stderr.write(`${printable(explain(error))}\n`);
  process.exit(1);
}
