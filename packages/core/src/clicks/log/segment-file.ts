import { closeSync, fstatSync, ftruncateSync, futimesSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileHeader, nextFrame, sealFrame } from "./format.ts";
import { ending } from "./name.ts";

/** The segment that a writer appends to. It ends with a whole frame after every call, or is `broken`. */
export class SegmentFile {
  readonly id: string;
  readonly fd: number;
  bytes = fileHeader.length;
  /** Something was written since this was last set to false */
  dirty = true;
  /** Why the last write stopped early */
  failure: Error | undefined;
  /** Nothing may be appended any more */
  broken = false;
  readonly #path: string;

  /** Creates the file. Throws what the system says, and leaves no file then. */
  constructor(folder: string, id: string) {
    this.id = id;
    this.#path = join(folder, id + ending);
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

  /** Appends the whole frames in [start, end). Answers where it stopped: `end`, or an earlier frame's end and `failure`. */
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

  /** Frames that were written whole stay, since a reader may have counted them; the rest is taken back. */
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

  /** Says that nothing follows, as well as the disk lets it: the seal, or no file at all when it has no frame. */
  seal(): void {
    if (this.bytes === fileHeader.length) return this.#unlink();
    if (this.broken) return;
    const seal = sealFrame(this.bytes);
    this.append(seal, 0, seal.length);
  }

  /** Tells readers in other places that the writer lives. False when somebody deleted or cut the file. */
  touch(now: Date): boolean {
    try {
      const { nlink, size } = fstatSync(this.fd);
      if (nlink === 0 || (size !== this.bytes && !this.broken)) return false;
      futimesSync(this.fd, now, now);
    } catch {
      // A disk in trouble is noticed by the writes.
    }
    return true;
  }

  #unlink(): void {
    try {
      unlinkSync(this.#path);
    } catch {
      // An empty segment left behind is read as having no clicks.
    }
  }
}
