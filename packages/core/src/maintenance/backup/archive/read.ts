import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { PassThrough } from "node:stream";
import { createZstdDecompress } from "node:zlib";
import { AppError } from "../../../kernel/errors.ts";
import { blockBytes, type Member, readTarHeader } from "./tar.ts";

/** No backup has larger members. */
const maxMemberBytes = 64 * 1_048_576;

/**
 * Yields the members of a backup, in their order.
 * @throws {AppError} if the file is not a backup, is torn or damaged; the system's error if it cannot be read
 */
export async function* readArchive(file: string): AsyncGenerator<{ name: string; content: Buffer }, void> {
  const source = createReadStream(file);
  const tar = new PassThrough();
  const done = pipeline(source, createZstdDecompress(), tar);
  // Reading `tar` fails with the same error.
  done.catch(() => {});
  const reader = new ByteReader(tar);
  try {
    for (;;) {
      const found = memberIn(await reader.read(blockBytes));
      if (found === null) break;
      const { name, size } = found;
      const content = await reader.read(size);
      await reader.read((blockBytes - (size % blockBytes)) % blockBytes);
      yield { name, content };
    }
    // The rest, so that the checksum after the last byte is compared.
    await reader.drain();
    await done;
  } catch (error) {
    throw refusalOf(error);
  } finally {
    source.destroy();
    tar.destroy();
  }
}

function memberIn(block: Buffer): Member | null {
  const found = readTarHeader(block);
  const isMember = found && found.size <= maxMemberBytes;
  if (found === null || isMember) return found;
  throw damaged();
}

export const damaged = (cause?: unknown): AppError =>
  new AppError("UNPROCESSABLE_CONTENT", "The file is not a whole backup: it was cut off or changed", {
    cause,
  });

/** Errors of decompression, of which there are many, mean damage; those of the system have a `syscall`. */
function refusalOf(error: unknown): unknown {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  const isOfZstd = typeof code === "string" && /^(ZSTD|Z_|ERR_ZLIB|ERR_STREAM_PREMATURE)/.test(code);
  return isOfZstd && syscall === undefined ? damaged(error) : error;
}

/** Reads a stream in portions of known length. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async read(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next();
        if (done === true) throw damaged();
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  async drain(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}
