import { closeSync, openSync, read, readSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { coreEvent, type CoreEvent } from "../../kernel/events.ts";
import { waitAtMost } from "../../kernel/async/waiting.ts";
import { fileHeader, frameHeaderBytes, nextFrame } from "../log/format.ts";
import { segmentFile } from "../log/segment-name.ts";
import { encodeEntry } from "./entry.ts";
import type { ClickStream, StreamSettings } from "./click-stream.ts";

export interface ShipperOptions {
  stream: ClickStream;
  /** The click log's folder */
  folder: string;
  shipping: NonNullable<StreamSettings["shipping"]>;
  onEvent: (event: CoreEvent) => void;
}

/** With "async", frames are collected for this long. Losing the machine loses at most these. */
const collectMs = 20;
const retryMs = 500;
/** Bytes of an entry, about; a frame has at most 64 KiB */
const entryBytes = 262_144;
/** How long `close` waits for frames that are not in the stream yet; they stay on the disk */
const lastEntryMs = 2000;

const readAsync = promisify(read);

/** How much of a segment is in the stream. */
interface Source {
  id: string;
  /** Everything before this is in the stream */
  from: number;
  /** Everything before this is on the disk */
  end: number;
}

/**
 * Follows the segments of this process on the disk and adds their frames to the stream, in order, one entry at a time. While
 * the stream is unavailable, it only remembers how far each segment was written.
 */
export class Shipper {
  /** Segments that are not in the stream yet, and the last two */
  #sources: Source[] = [];
  /** Bytes that were written to the disk */
  #written = 0;
  #waiting: { until: number; done: () => void }[] = [];
  #unavailableSince: number | undefined;
  #busy: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #open = true;
  /** The segment that is being read */
  #reading: { id: string; fd: number } | undefined;
  readonly #options: ShipperOptions;

  constructor(options: ShipperOptions) {
    this.#options = options;
    this.#ship();
  }

  /** Bytes that are on the disk and not in the stream */
  get waitingBytes(): number {
    return this.#sources.reduce((sum, { from, end }) => sum + end - from, 0);
  }
  get isUnavailable(): boolean {
    return this.#unavailableSince !== undefined;
  }

  /** Call it when whole frames were written to a segment up to `end`. */
  wrote(segment: string, end: number): void {
    let source = this.#sources.at(-1);
    if (source?.id !== segment) {
      source = { id: segment, from: fileHeader.length, end: fileHeader.length };
      this.#sources.push(source);
      this.#forget();
    }
    this.#written += end - source.end;
    source.end = end;
    if (this.#options.shipping === "sync" && !this.isUnavailable) this.#ship();
    else this.#schedule(this.isUnavailable ? retryMs : collectMs);
  }

  /** With "sync", calls `done` when the stream has all that was written; at once with "async", or while it is unavailable. */
  whenShipped(done: () => void): void {
    const { shipping } = this.#options;
    if (shipping === "async" || this.isUnavailable || !this.#open || this.waitingBytes === 0) done();
    else this.#waiting.push({ until: this.#written, done });
  }

  /** Adds what is left, for two seconds at most. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await waitAtMost(lastEntryMs, this.#finish());
    this.#open = false;
    this.#release(Number.POSITIVE_INFINITY);
    clearTimeout(this.#timer);
    this.#leave();
    await this.#options.stream.close();
  }

  async #finish(): Promise<void> {
    await this.#busy;
    if (this.isUnavailable || this.waitingBytes === 0) return;
    this.#ship();
    await this.#busy;
  }

  #schedule(ms: number): void {
    if (this.#busy || !this.#open) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#ship();
    }, ms).unref();
  }

  #ship(): void {
    if (!this.#open) return;
    this.#busy ??= this.#shipAll().finally(() => {
      this.#busy = undefined;
      if (this.isUnavailable) this.#schedule(retryMs);
      else if (this.waitingBytes === 0) return;
      else if (this.#options.shipping === "sync") this.#ship();
      else this.#schedule(collectMs);
    });
  }

  /** Adds everything that is on the disk now. */
  async #shipAll(): Promise<void> {
    const { stream, onEvent } = this.#options;
    try {
      if (this.isUnavailable || this.#written === 0) {
        const risk = await stream.open();
        if (risk !== null) onEvent(coreEvent("click_stream_not_durable", { reason: risk }));
      }
      for (const until = this.#written; this.#open && this.#written - this.waitingBytes < until; ) {
        const source = this.#sources.find(({ from, end }) => from < end) as Source;
        const frames = await this.#readFrames(source);
        if (frames === null) continue;
        await stream.add(encodeEntry(source.id, source.from, frames));
        source.from += frames.length;
        this.#forget();
        this.#release(this.#written - this.waitingBytes);
      }
      if (this.#unavailableSince === undefined) return;
      const after_ms = Date.now() - this.#unavailableSince;
      this.#unavailableSince = undefined;
      onEvent(coreEvent("click_stream_available", { after_ms }));
    } catch (err) {
      this.#fail(err);
    }
  }

  /** A server that takes over may not have the last entries, so the last segments are sent again when the stream is back. */
  #fail(err: unknown): void {
    for (const source of this.#sources) source.from = fileHeader.length;
    // An open descriptor outlives the deletion of a counted file: its clicks could be sent, and counted, again.
    this.#leave();
    if (!this.isUnavailable) {
      this.#unavailableSince = Date.now();
      this.#options.onEvent(coreEvent("click_stream_unavailable", { err }));
    }
    this.#release(Number.POSITIVE_INFINITY);
  }

  #release(until: number): void {
    const first = this.#waiting.findIndex((waiting) => waiting.until > until);
    for (const { done } of this.#waiting.splice(0, first < 0 ? this.#waiting.length : first)) done();
  }

  #forget(): void {
    while (this.#sources.length > 2 && (this.#sources[0] as Source).from === this.#sources[0]?.end)
      this.#sources.shift();
  }

  /**
   * Reads the next frames of a segment. The newest one is in the page cache, and reading it at once is the fastest; reading
   * others may take longer. A file that is gone was counted: then there is nothing to read.
   */
  async #readFrames(source: Source): Promise<Buffer | null> {
    const bytes = Buffer.allocUnsafe(Math.min(entryBytes, source.end - source.from));
    let length = 0;
    try {
      const fd = this.#enter(source.id);
      if (source === this.#sources.at(-1)) length = readSync(fd, bytes, 0, bytes.length, source.from);
      else length = (await readAsync(fd, bytes, 0, bytes.length, source.from)).bytesRead;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    let end = 0;
    for (let at = 0; at + frameHeaderBytes <= length; ) {
      at = nextFrame(bytes, at);
      if (at <= length) end = at;
    }
    if (end > 0) return bytes.subarray(0, end);
    source.from = source.end;
    return null;
  }

  #enter(id: string): number {
    if (this.#reading?.id !== id) {
      this.#leave();
      this.#reading = { id, fd: openSync(join(this.#options.folder, segmentFile(id)), "r") };
    }
    return this.#reading.fd;
  }

  #leave(): void {
    if (this.#reading) closeSync(this.#reading.fd);
    this.#reading = undefined;
  }
}
