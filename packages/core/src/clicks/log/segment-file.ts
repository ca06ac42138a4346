import {
  closeSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileHeader, nextFrame, sealFrame } from "./format.ts";
import { ending } from "./segment-name.ts";

const hiddenEnding = ".new";

/** The segment that a writer appends to. After every call it ends with a whole frame, or is `broken`. */
export class SegmentFile {
  readonly id: string;
  readonly fd: number;
  bytes = fileHeader.length;
  /** True if something was written since this was set to false */
  dirty = true;
  /** Why the last write stopped early */
  failure: Error | undefined;
  /** Nothing more may be appended */
  broken = false;
  #path: string;

  /** Creates the file, hidden from readers until `publish`. Throws the system's error, and then leaves no file. */
  constructor(folder: string, id: string, { isHidden = false } = {}) {
    this.id = id;
    this.#path = join(folder, id + ending + (isHidden ? hiddenEnding : ""));
    this.fd = openSync(this.#path, "ax", 0o600);
    try {
      const written = writeSync(this.fd, fileHeader);
      if (written < fileHeader.length)
        throw new Error(`Only ${written} bytes of the file header could be written`);
    } catch (error) {
      closeSync(this.fd);
      this.#unlink();
      throw error;
    }
  }

  /** Appends the whole frames in [start, end). Returns `end`, or the end of an earlier frame and sets `failure`. */
  append(bytes: Buffer, start: number, end: number): number {
    let at = start;
    try {
      while (at < end) at += writeSync(this.fd, bytes, at, end - at);
    } catch (error) {
      this.failure = error as Error;
      at = this.#stopAt(bytes, start, at);
    }
    this.bytes += at - start;
    this.dirty ||= at > start;
    return at;
  }

  /** Keeps frames that were written as a whole, since a reader may have counted them, and truncates the rest. */
  #stopAt(bytes: Buffer, start: number, reached: number): number {
    let whole = start;
    for (let next = start; next < reached; ) {
      next = nextFrame(bytes, next);
      if (next <= reached) whole = next;
    }
    const code = (this.failure as NodeJS.ErrnoException).code;
    this.broken = code !== "ENOSPC" && code !== "EDQUOT";
    try {
      ftruncateSync(this.fd, this.bytes + whole - start);
    } catch {
      this.broken = true;
    }
    return whole;
  }

  /** Shows a hidden file to readers. Throws the system's error. */
  publish(): void {
    const path = this.#path.slice(0, -hiddenEnding.length);
    renameSync(this.#path, path);
    this.#path = path;
  }

  /** Deletes the file. */
  discard(): void {
    closeSync(this.fd);
    this.#unlink();
  }

  /** Marks the segment as complete, if the disk allows it. A segment without frames is deleted instead. */
  seal(): void {
    if (this.bytes === fileHeader.length) return this.#unlink();
    if (this.broken) return;
    const seal = sealFrame(this.bytes);
    this.append(seal, 0, seal.length);
  }

  /** Shows readers elsewhere that the writer is alive. Returns false if the file was deleted or truncated. */
  touch(now: Date): boolean {
    try {
      const { nlink, size } = fstatSync(this.fd);
      if (nlink === 0 || (size !== this.bytes && !this.broken)) return false;
      futimesSync(this.fd, now, now);
    } catch {
      // Writes will report a failing disk.
    }
    return true;
  }

  #unlink(): void {
    try {
      unlinkSync(this.#path);
    } catch {
      // An empty segment that remains has no clicks for readers.
    }
  }
}
