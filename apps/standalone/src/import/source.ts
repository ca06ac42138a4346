import { open, realpath } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { decodeFile } from "@terse/importers";
import { reasonOf, UserError } from "@terse/server";

/**
 * Opens a file, or standard input for null; reading fails once `interrupt` is aborted.
 * @throws {UserError} if the file does not exist or cannot be read
 */
export async function openSource(
  path: string | null,
  interrupt: AbortSignal,
): Promise<AsyncIterable<Buffer>> {
  if (path === null) return addAbortSignal(interrupt, process.stdin);
  try {
    const file = await open(path);
    if ((await file.stat()).isDirectory()) throw new Error("it is a folder");
    return file.createReadStream({ signal: interrupt });
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

/** A longer text has more characters than one string can have. */
const maxBytes = 400 * 1024 * 1024;

/**
 * Reads the text of a file, or of standard input for null.
 * @throws {UserError} if it cannot be read, is too large or is not text
 */
export async function readText(path: string | null, interrupt: AbortSignal): Promise<string> {
  const name = path ?? "Standard input";
  const pieces: Buffer[] = [];
  let read = 0;
  for await (const piece of await openSource(path, interrupt)) {
    pieces.push(piece);
    read += piece.length;
    if (read > maxBytes) throw new UserError(`${name} has more than 400 MB: split it`);
  }
  const decoded = decodeFile(Buffer.concat(pieces));
  if ("refusal" in decoded) throw new UserError(`${name}: ${decoded.refusal}`);
  return decoded.text;
}

/** Whether two names refer to the same file. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => realpath(path).catch(() => path)));
  return a === b;
}
