/** Something that a person can mend. The message is one line that says what and how, or such a line for each thing. */
export class UserError extends Error {
  override readonly name: string = "UserError";

  constructor(message: string | readonly string[], options?: ErrorOptions) {
    const lines = [message].flat().map((line) => line.replaceAll(/\s+/g, " ").trim());
    super(lines.join("\n"), options);
  }
}

/** Why a program ends: what a person can mend in its own words, the whole error where the fault is ours. */
export function explain(error: unknown): string {
  if (error instanceof UserError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Ends a program that cannot go on: why on standard error, and exit code 1. */
export function exitBecause(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

/** What an error says, also where Node gathers one for each address tried and says nothing itself. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message || error.name : String(error);
}
