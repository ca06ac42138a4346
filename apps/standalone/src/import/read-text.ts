import { UserError } from "@terse/server";

/** A file with a longer line is not a list of URLs or CSV. */
export const maxLineLength = 1024 * 1024;

/**
 * Decodes a UTF-8 stream into pieces of any length, without a byte order mark and with all line endings as \n.
 * @throws {UserError} if it is not UTF-8
 */
export async function* readText(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let held = "";
  for await (const piece of bytes) {
    const text = held + decode(decoder, piece);
    // The matching \n may be at the start of the next piece.
    held = text.endsWith("\r") ? "\r" : "";
    yield text.slice(0, text.length - held.length).replaceAll(/\r\n?/g, "\n");
  }
  yield (held + decode(decoder)).replaceAll("\r", "\n");
}

function decode(decoder: InstanceType<typeof TextDecoder>, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch (cause) {
    throw new UserError("The file is not UTF-8 text: save it as UTF-8 and run the import again", { cause });
  }
}

/** Returns the first line that is not blank, and `text`: everything, including that line. */
export async function peekLine(
  pieces: AsyncGenerator<string>,
): Promise<{ line: string; text: AsyncGenerator<string> }> {
  let head = "";
  while (!/\S.*\n/.test(head) && head.length <= maxLineLength) {
    const next = await pieces.next();
    if (next.done) break;
    head += next.value;
  }
  async function* text() {
    yield head;
    yield* pieces;
  }
  return { line: /\S.*/.exec(head)?.[0] ?? "", text: text() };
}
