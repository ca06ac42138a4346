import { open, readdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { frameEnd, frameClicks, frameHeaderBytes } from "./format.ts";
import { ending, parseFileName, type SegmentName } from "./name.ts";
import { isAlive } from "./owner.ts";

/** One file of the click log. */
export interface Segment {
  /** Stable identity: the file name without its ending */
  id: string;
  path: string;
  bytes: number;
  /** Nobody will append any more: sealed by its writer, rotated away, or its writer is dead */
  sealed: boolean;
}

/** Every segment, each writer's in the order in which they were written. A missing folder has none. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const files = await readdir(folder).catch((error: unknown) => gone(error, []));
  const names = new Map<string, SegmentName>();
  const newest = new Map<string, number>();
  for (const file of files.toSorted((a, b) => (a < b ? -1 : 1))) {
    const name = parseFileName(file);
    if (!name) continue;
    names.set(file, name);
    newest.set(name.writer, name.number);
  }
  const segments: Segment[] = [];
  for (const [file, name] of names) {
    const segment = await describe(join(folder, file), name, name.number === newest.get(name.writer));
    if (segment) segments.push(segment);
  }
  return segments;
}

/** Size is read after the verdict, so that the size of a sealed segment is final. */
async function describe(path: string, name: SegmentName, last: boolean): Promise<Segment | undefined> {
  try {
    const sealed = !last || !isAlive(name.owner, (await stat(path)).mtimeMs) || (await endsWithSeal(path));
    const { size } = await stat(path);
    return { id: path.slice(dirname(path).length + 1, -ending.length), path, bytes: size, sealed };
  } catch (error) {
    return gone(error, undefined);
  }
}

async function endsWithSeal(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const offset = (await file.stat()).size - frameHeaderBytes;
    const tail = Buffer.alloc(frameHeaderBytes);
    if (offset < 0 || (await file.read(tail, 0, frameHeaderBytes, offset)).bytesRead < frameHeaderBytes)
      return false;
    const whole = frameEnd(tail, 0, frameHeaderBytes) === frameHeaderBytes;
    return whole && frameClicks(tail, 0) === 0 && tail.readDoubleLE(12) === offset;
  } finally {
    await file.close();
  }
}

/** Deletes a sealed segment; one that is gone already is fine. After it, a crash does not bring the file back. */
export async function removeSegment(segment: Segment): Promise<void> {
  mustBeSealed(segment);
  await unlink(segment.path).catch((error: unknown) => gone(error, undefined));
  const folder = await open(dirname(segment.path)).catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** A writer may still append to an open segment: whoever cuts or removes it has a bug. */
export function mustBeSealed(segment: Segment): void {
  if (!segment.sealed)
    throw new Error(`Segment ${segment.id} is not sealed: its writer may still append to it`);
}

/** The answer for a file that is not there any more; throws every other error. */
export function gone<T>(error: unknown, answer: T): T {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return answer;
  throw error;
}
