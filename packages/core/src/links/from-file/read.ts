import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { AppError } from "../../kernel/errors.ts";
import type { ReadOutcome, ReadPart, ReadTask } from "./imports.types.ts";

/** Reading the largest file takes about a second on a quiet machine. */
const maxMs = 30_000;

/** The same folder has the thread's file, also when built. */
const file = new URL(`./read.worker${extname(import.meta.url)}`, import.meta.url);

/** Reads a file in a thread of its own, which is ended when it takes too long. Throws 400 if it cannot be imported. */
export async function readInThread(task: ReadTask): Promise<readonly ReadPart[]> {
  const worker = new Worker(file, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: 512 } });
  const timeout = setTimeout(() => void worker.terminate(), maxMs);
  const unreadable: ReadOutcome = { refusal: "could not be read; send it in smaller parts" };
  try {
    const outcome = await new Promise<ReadOutcome>((resolve) => {
      worker.once("message", resolve);
      // Ended, out of memory, or failed before it could answer
      worker.once("error", () => resolve(unreadable));
      worker.once("exit", () => resolve(unreadable));
    });
    if ("parts" in outcome) return outcome.parts;
    throw new AppError("BAD_REQUEST", `content: ${outcome.refusal}`);
  } finally {
    clearTimeout(timeout);
    await worker.terminate();
  }
}
