import { close, fdatasync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SegmentFile } from "./segment-file.ts";
import { segmentId, self } from "./segment-name.ts";

export interface SegmentWriterOptions {
  folder: string;
  /** 32 hex digits, in the names of its segments */
  writer: string;
  /** Whether files are synced before they are closed */
  durable: boolean;
  /** A new segment begins when the current one has this size */
  segmentBytes: number;
  /** And when its first frame is this old, so that addresses do not stay on a quiet node; milliseconds */
  segmentMs: number;
  /** Called after frames were written to a segment, with the offset of their end */
  onWrite?: ((segment: string, end: number) => void) | undefined;
  /** Called when syncing begins to fail (with the error), and when it works again (with null) */
  onSync: (error: Error | null) => void;
}

/** The segments of a writer: appends to the newest one, and begins the next when it is full or broken. */
export class SegmentWriter {
  /** Why the last `append` or `ready` did not succeed completely */
  failure: Error | undefined;
  syncFails = false;
  #file: SegmentFile | undefined;
  #rotateAt: number;
  /** When the first frame of the segment was written, in milliseconds of `performance.now`; undefined without a frame */
  #firstAt: number | undefined;
  #number = 0;
  readonly #since = Date.now();
  readonly #syncs: SyncQueue;
  readonly #options: SegmentWriterOptions;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#rotateAt = options.segmentBytes;
    this.#syncs = new SyncQueue((error, fd) => this.#synced(error, fd));
  }

  get segment(): string | null {
    return this.#file?.id ?? null;
  }

  /** Makes sure that there is a segment to append to; returns false if there is none. */
  ready(): boolean {
    const file = this.#file;
    if (file && !file.broken && file.bytes < this.#rotateAt) return true;
    try {
      this.#begin();
    } catch (error) {
      this.failure = error as Error;
      if (!file || file.broken) return false;
      this.#rotateAt = file.bytes + this.#options.segmentBytes;
    }
    return true;
  }

  /** Appends the whole frames in [start, end); returns where it stopped, see SegmentFile.append. */
  append(bytes: Buffer, start: number, end: number): number {
    if (!this.ready() || !this.#file) return start;
    this.#firstAt ??= performance.now();
    const at = this.#file.append(bytes, start, end);
    if (at > start) this.#options.onWrite?.(this.#file.id, this.#file.bytes);
    if (at < end) this.failure = this.#file.failure;
    return at;
  }

  /** An id for a segment that is perhaps written later, by `writeWhole`. */
  reserveId(): string {
    const { writer } = this.#options;
    const id = segmentId({ since: this.#since, writer, number: this.#number, owner: self });
    this.#number += 1;
    return id;
  }

  /**
   * Begins the segment with an id from `reserveId` by writing the whole frames in [start, end). Readers see all of
   * them or none. Returns false if the disk does not accept all of them; the previous segment then stays in use.
   */
  writeWhole(id: string, bytes: Buffer, start: number, end: number): boolean {
    try {
      const file = this.#create(id, { isHidden: true });
      if (file.append(bytes, start, end) < end) {
        this.failure = file.failure;
        file.discard();
        return false;
      }
      file.publish();
      this.#use(file);
    } catch (error) {
      this.failure = error as Error;
      return false;
    }
    this.#firstAt = performance.now();
    this.#options.onWrite?.(id, this.#file?.bytes ?? 0);
    return true;
  }

  /** Whether the disk accepts another 64 KiB. */
  hasRoom(): boolean {
    const { folder, writer } = this.#options;
    const probe = join(folder, `${writer}.probe`);
    try {
      writeFileSync(probe, Buffer.alloc(65_536, 1));
      return true;
    } catch {
      return false;
    } finally {
      rmSync(probe, { force: true });
    }
  }

  /** Syncs what was written, then calls `done`, even if there is nothing to sync or the disk fails. */
  sync(done: () => void = () => {}): void {
    const file = this.#file;
    if (!file?.dirty) return done();
    file.dirty = false;
    this.#syncs.add(file.fd, { done });
  }

  /** Call it every second. Returns false if the segment was deleted or truncated; the writer then begins another one. */
  check(): boolean {
    const file = this.#file;
    if (!file) return true;
    if (file.touch(new Date())) {
      try {
        if (this.#firstAt !== undefined && performance.now() - this.#firstAt >= this.#options.segmentMs)
          this.#begin();
      } catch {
        // The folder accepts no new file now. This one stays in use, and creation is retried in a second.
      }
      return true;
    }
    this.#file = undefined;
    this.#syncs.add(file.fd, { sync: false, last: true });
    return false;
  }

  /** Seals, syncs and closes. */
  async close(): Promise<void> {
    this.#file?.seal();
    if (this.#file) this.#syncs.add(this.#file.fd, { last: true });
    this.#file = undefined;
    await this.#syncs.idle();
  }

  /** Creates the next segment before it seals the last one: if the folder accepts no new file, the last one stays in use. */
  #begin(): void {
    this.#use(this.#create(this.reserveId()));
  }

  #create(id: string, how?: { isHidden: boolean }): SegmentFile {
    const { folder } = this.#options;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new SegmentFile(folder, id, how);
  }

  #use(next: SegmentFile): void {
    const { durable, segmentBytes } = this.#options;
    this.#rotateAt = segmentBytes;
    this.#firstAt = undefined;
    const last = this.#file;
    this.#file = next;
    last?.seal();
    if (last) this.#syncs.add(last.fd, { sync: durable && !last.broken && last.dirty, last: true });
    if (durable) this.#syncFolder();
  }

  /** After a failed sync the contents on the disk are unknown, so nothing more is appended to that file. */
  #synced(error: Error | null, fd: number): void {
    if ((error !== null) === this.syncFails) return;
    this.syncFails = error !== null;
    if (error && this.#file?.fd === fd) this.#file.broken = true;
    this.#options.onSync(error);
  }

  /** Without this, a power failure could lose the file's name. Does nothing if folders cannot be opened. */
  #syncFolder(): void {
    try {
      this.#syncs.add(openSync(this.#options.folder, "r"), { last: true });
    } catch {
      return;
    }
  }
}

interface Job {
  fd: number;
  sync: boolean;
  last: boolean;
  done: (() => void)[];
}

/**
 * Syncs files one after the other, in order. Requests for a file that arrive while the disk is busy share one sync (group
 * commit).
 */
export class SyncQueue {
  #waiting: Job[] = [];
  #busy = false;
  #idle: (() => void)[] = [];
  readonly #onResult: (error: Error | null, fd: number) => void;

  /** `onResult` is called with the result of every sync, before its callbacks. */
  constructor(onResult: (error: Error | null, fd: number) => void) {
    this.#onResult = onResult;
  }

  /** Syncs everything written to `fd` so far, unless `sync` is false; then calls `done` in any case; closes it if `last`. */
  add(fd: number, { sync = true, last = false, done = () => {} } = {}): void {
    const job = this.#waiting.at(-1);
    if (job?.fd === fd) {
      job.sync ||= sync;
      job.last ||= last;
      job.done.push(done);
    } else {
      this.#waiting.push({ fd, sync, last, done: [done] });
    }
    if (!this.#busy) this.#next();
  }

  /** Resolves when the queue is empty and no sync is running. */
  async idle(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #next(): void {
    const job = this.#waiting.shift();
    this.#busy = job !== undefined;
    if (!job) {
      for (const resolve of this.#idle.splice(0)) resolve();
    } else if (job.sync) {
      fdatasync(job.fd, (error) => this.#finish(job, error));
    } else {
      this.#finish(job);
    }
  }

  #finish(job: Job, result?: Error | null): void {
    if (result !== undefined) this.#onResult(result, job.fd);
    for (const done of job.done) done();
    if (job.last) close(job.fd, () => this.#next());
    else this.#next();
  }
}
