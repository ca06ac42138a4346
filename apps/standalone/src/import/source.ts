import { open, realpath } from "node:fs/promises";
import { addAbortSignal, type Readable } from "node:stream";
import { decodeFile } from "@terse/importers";
import { reasonOf, UserError } from "@terse/server";

export interface Source {
  readonly bytes: AsyncIterable<Buffer>;
  /** In bytes; null if unknown, as for standard input */
  readonly size: number | null;
  /** Bytes read so far */
  position(): number;
}

/**
 * Opens a file, or standard input for null; reading fails once `interrupt` is aborted.
 * @throws {UserError} if the file does not exist or cannot be read
 */
export async function openSource(path: string | null, interrupt: AbortSignal): Promise<Source> {
  if (path === null) return counted(addAbortSignal(interrupt, process.stdin), null);
  try {
    const file = await open(path);
    const stats = await file.stat();
    if (stats.isDirectory()) throw new Error("it is a folder");
    return counted(file.createReadStream({ signal: interrupt }), stats.isFile() ? stats.size : null);
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

function counted(stream: Readable, size: number | null): Source {
  let position = 0;
  async function* bytes() {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      position += piece.length;
      yield piece;
    }
  }
  return { bytes: bytes(), size, position: () => position };
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
  const source = await openSource(path, interrupt);
  for await (const piece of source.bytes) {
    pieces.push(piece);
    if (source.position() > maxBytes) throw new UserError(`${name} has more than 400 MB: split it`);
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
