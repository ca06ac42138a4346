import { issue } from "../../kernel/issues.ts";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { createTarDecoder, createTarPacker } from "modern-tar";
import { AppError } from "../../kernel/errors.ts";
import type { Digest } from "./manifest.ts";

/** A file in the tar of a backup. */
export interface Member {
  name: string;
  content: Buffer;
}

/** Content of one member; what is longer continues in the next one, so that a member fits in memory. */
const memberBytes = 1_048_576;
/** No backup has larger members. */
const maxMemberBytes = 64 * memberBytes;

/** Returns the bytes of a tar with these members. */
export function tarOf(members: AsyncIterable<Member>, mtime: Date): ReadableStream<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const write = async () => {
    for await (const { name, content } of members) {
      const file = controller.add({ name, size: content.length, mtime, mode: 0o600 }).getWriter();
      await file.write(content);
      await file.close();
    }
    controller.finalize();
  };
  void write().catch((error) => controller.error(error));
  return readable;
}

/** Yields a content of any length as the members `folder/000001`, `folder/000002` …, and returns its digest. */
export async function* inMembers(
  folder: string,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncGenerator<Member, Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  let count = 0;
  for await (const piece of inPieces(content)) {
    hash.update(piece);
    bytes += piece.length;
    count += 1;
    yield { name: `${folder}/${String(count).padStart(6, "0")}`, content: piece };
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function* inPieces(content: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncGenerator<Buffer, void> {
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

/**
 * Yields the members of a backup, in their order.
 * @throws {AppError} if the file is not a backup, is torn or damaged; the system's error if it cannot be read
 */
export async function* readArchive(file: string): AsyncGenerator<Member, void> {
  const source = createReadStream(file);
  const { readable, writable } = createTarDecoder({ strict: true });
  // Reading `readable` fails with the same error.
  pipeline(source, createZstdDecompress(), Writable.fromWeb(writable)).catch(() => {});
  try {
    for await (const { header, body } of readable) {
      if (header.size > maxMemberBytes) throw damaged();
      yield { name: header.name, content: await buffer(body) };
    }
  } catch (error) {
    const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isOfSystem || error instanceof AppError ? error : damaged(error);
  } finally {
    source.destroy();
  }
}

export const damaged = (cause?: unknown): AppError =>
  new AppError(
    "UNPROCESSABLE_CONTENT",
    issue("", "invalid_file", "The file is not a whole backup: it was cut off or changed", {
      reason: "damaged",
    }),
    { cause },
  );
