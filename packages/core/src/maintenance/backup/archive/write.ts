import { createHash } from "node:crypto";
import type { Digest } from "../manifest.ts";
import { paddingOf, tarHeader } from "./tar.ts";

/** Content of one member; what is longer continues in the next one, so that a member fits in memory. */
const memberBytes = 1_048_576;

/** Yields a member. */
export function* member(name: string, content: Buffer, time: Date): Generator<Buffer, void> {
  yield tarHeader({ name, size: content.length }, time);
  yield content;
  yield paddingOf(content.length);
}

/** Yields a content of any length as the members `folder/000001`, `folder/000002` …, and returns its digest. */
export async function* members(
  folder: string,
  content: AsyncIterable<Buffer>,
  time: Date,
): AsyncGenerator<Buffer, Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  let count = 0;
  for await (const piece of inPieces(content)) {
    hash.update(piece);
    bytes += piece.length;
    count += 1;
    yield* member(`${folder}/${String(count).padStart(6, "0")}`, piece, time);
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function* inPieces(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < memberBytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
