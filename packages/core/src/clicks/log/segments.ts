import { access, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { frameEnd, frameClicks, frameHeaderBytes } from "./format.ts";
import { ending, parseFileName, type SegmentName } from "./name.ts";
import { isAlive } from "./owner.ts";

/** One file of the click log. */
export interface Segment {
  /** Stable id: the file name without its ending */
  id: string;
  /** Identifies the process that writes it */
  writer: string;
  /** It was its writer's newest when the folder was listed */
  newest: boolean;
  path: string;
  bytes: number;
  /** Nothing more will be appended: it is sealed, it is not its writer's newest, or its writer is dead */
  sealed: boolean;
}

/** Lists all segments, each writer's in the order of writing. A missing folder has none. */
export async function listSegments(folder: string): Promise<Segment[]> {
  const files = await readdir(folder).catch((error: unknown) => ifMissing(error, []));
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

/** Whether a segment is the last one of its writer that exists. */
export async function isLastOfWriter({ id, path, writer }: Segment): Promise<boolean> {
  const files = await readdir(dirname(path));
  return !files.some((file) => parseFileName(file)?.writer === writer && file !== id + ending);
}

/** Reads the size after deciding `sealed`, so that the size of a sealed segment is final. */
async function describe(path: string, name: SegmentName, newest: boolean): Promise<Segment | undefined> {
  try {
    const ended = !newest || !isAlive(name.owner, (await stat(path)).mtimeMs);
    // A file that cannot be read fails when it is read; it must not keep others from being listed.
    const sealed = ended || (await endsWithSeal(path).catch(() => false));
    const { size } = await stat(path);
    const id = path.slice(dirname(path).length + 1, -ending.length);
    return { id, writer: name.writer, newest, path, bytes: size, sealed };
  } catch (error) {
    return ifMissing(error, undefined);
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

/** Returns `answer` if the error is that a file does not exist; otherwise throws the error. */
export function ifMissing<T>(error: unknown, answer: T): T {
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return answer;
  throw error;
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
