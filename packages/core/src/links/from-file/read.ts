import { inThread, threadFile } from "../../concurrency/in-thread.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ReadOutcome, ReadParts, ReadTask } from "./imports.types.ts";

/** Reading the largest file takes about a second on a quiet machine. */
const limits = { maxMs: 30_000, maxMb: 512 };
const file = threadFile("read.worker", import.meta.url);

/** Reads a file in a thread of its own, which is ended when it takes too long. Throws 400 if it cannot be imported. */
export async function readInThread(task: ReadTask): Promise<ReadParts> {
  const outcome = await inThread<ReadOutcome>(file, task, limits);
  if (outcome === null) throw refused("could not be read; send it in smaller parts");
  if ("parts" in outcome) return outcome;
  throw refused(outcome.refusal);
}

const refused = (why: string) =>
  new AppError("BAD_REQUEST", why.startsWith("columns: ") ? why : `content: ${why}`);
