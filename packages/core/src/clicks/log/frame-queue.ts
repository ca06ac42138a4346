import { frameClicks, nextFrame } from "./format.ts";

const chunkBytes = 262_144;

interface Chunk {
  bytes: Buffer;
  start: number;
  end: number;
}

/**
 * Frames in memory that wait for the disk, in order. When it is full, it rejects the newest: rejecting costs nothing
 * on a machine already in trouble, and the lost clicks are from one period.
 */
export class FrameQueue {
  clicks = 0;
  #bytes = 0;
  #chunks: Chunk[] = [];
  readonly #maxBytes: number;

  /** `maxBytes` of memory, allocated in chunks of 256 KiB, at least one. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Copies the whole frames in [start, end). Returns the number of clicks that did not fit. */
  push(bytes: Buffer, start: number, end: number): number {
    let rejected = 0;
    for (let at = start; at < end; ) {
      const next = nextFrame(bytes, at);
      const clicks = frameClicks(bytes, at);
      if (rejected === 0 && this.#copy(bytes, at, next)) this.clicks += clicks;
      else rejected += clicks;
      at = next;
    }
    return rejected;
  }

  #copy(bytes: Buffer, start: number, end: number): boolean {
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

  /** The oldest frames, in [start, end) of `bytes`. */
  oldest(): Readonly<Chunk> | undefined {
    return this.#chunks[0];
  }

  /** Removes the oldest frames up to `end`, an offset in the bytes that `oldest` returned. */
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

  /** Removes everything. Returns the number of clicks. */
  clear(): number {
    const { clicks } = this;
    this.clicks = 0;
    this.#chunks = [];
    this.#bytes = 0;
    return clicks;
  }
}
