import { frameClicks, nextFrame } from "./format.ts";

const chunkBytes = 262_144;

interface Chunk {
  bytes: Buffer;
  start: number;
  end: number;
}

/**
 * Frames that wait in memory for the disk, in order. When it is full the newest are refused: a refusal costs nothing
 * while the host is in trouble already, and what is missing afterwards is one stretch of time.
 */
export class Backlog {
  clicks = 0;
  #bytes = 0;
  #chunks: Chunk[] = [];
  readonly #maxBytes: number;

  /** `maxBytes`: of memory, taken in chunks of 256 KiB; one chunk there always is. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Copies the whole frames in [start, end). Answers how many clicks found no room. */
  push(bytes: Buffer, start: number, end: number): number {
    let refused = 0;
    for (let at = start; at < end; ) {
      const next = nextFrame(bytes, at);
      const clicks = frameClicks(bytes, at);
      if (refused === 0 && this.#keep(bytes, at, next)) this.clicks += clicks;
      else refused += clicks;
      at = next;
    }
    return refused;
  }

  #keep(bytes: Buffer, start: number, end: number): boolean {
    let chunk = this.#chunks.at(-1);
    if (!chunk || chunk.bytes.length - chunk.end < end - start) {
      if (chunk && this.#bytes + chunkBytes > this.#maxBytes) return false;
      chunk = { bytes: Buffer.allocUnsafeSlow(chunkBytes), start: 0, end: 0 };
      this.#chunks.push(chunk);
      this.#bytes += chunkBytes;
    }
    bytes.copy(chunk.bytes, chunk.end, start, end);
    chunk.end += end - start;
    return true;
  }

  /** The oldest frames: whole ones in [start, end) of `bytes`. */
  oldest(): Readonly<Chunk> | undefined {
    return this.#chunks[0];
  }

  /** Lets go of the oldest frames up to `end`, an offset into what `oldest` gave. */
  drop(end: number): void {
    const chunk = this.#chunks[0];
    if (!chunk) return;
    for (; chunk.start < end; chunk.start = nextFrame(chunk.bytes, chunk.start)) {
      this.clicks -= frameClicks(chunk.bytes, chunk.start);
    }
    if (chunk.start < chunk.end) return;
    this.#chunks.shift();
    this.#bytes -= chunkBytes;
  }

  /** Forgets everything. Answers how many clicks that were. */
  clear(): number {
    const { clicks } = this;
    this.clicks = 0;
    this.#chunks = [];
    this.#bytes = 0;
    return clicks;
  }
}
