import { createInterface } from "node:readline/promises";
import { UserError } from "@terse/server";

/**
 * Asks on the terminal.
 * @throws {UserError} if the answer is not yes, or there is no terminal to ask on
 */
export async function confirm(question: string, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UserError("Nothing was imported: add --yes to import, or --dry-run for a preview");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    if (!/^y(es)?$/i.test(answer.trim())) throw new UserError("Nothing was imported");
  } finally {
    terminal.close();
  }
}
