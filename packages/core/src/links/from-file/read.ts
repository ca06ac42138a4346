import { inThread, threadFile } from "../../kernel/async/in-thread.ts";
import { type AppError, refusal } from "../../kernel/errors.ts";
import { accountTurns } from "../turns.ts";
import {
  type ReadOutcome,
  type ReadParts,
  type ReadTask,
  unwrap,
  type Unwrapped,
  type UnwrapTask,
} from "./read-parts.ts";

/** Reading the largest file takes about a second on a quiet machine, and about half of this memory. */
const limits = { maxMs: 20_000, maxMb: 512 };
const file = threadFile("read.worker", import.meta.url);
/** The longest text read without a thread, which takes longer to start. */
const smallText = 64 * 1024;

const inTurn = accountTurns(16, "files are being read");

/**
 * Reads a file in its own thread, which is ended if it takes too long or too much memory.
 * @throws {AppError} 400 if the file cannot be imported, 503 if too many wait
 */
export async function readInThread(accountId: string, task: ReadTask): Promise<ReadParts> {
  const outcome = await ask<ReadOutcome>(accountId, task);
  if ("parts" in outcome) return outcome;
  if ("total" in outcome) {
    const message = `has ${outcome.total} links; the plan allows ${task.maxRows} in one import`;
    throw refusal("BAD_REQUEST", "content", "too_many", message, { max: task.maxRows, unit: "links" });
  }
  throw refused(outcome.refusal);
}

/**
 * The fields of a wrapper, read in a thread as above if it is large; null if the text is not one.
 * @throws {AppError} as above
 */
export async function unwrapInThread(accountId: string, text: string): Promise<object | null> {
  const outcome =
    text.length <= smallText ? unwrap(text) : await ask<Unwrapped>(accountId, { wrapped: text });
  if ("refusal" in outcome) throw refused(outcome.refusal);
  return outcome.fields;
}

async function ask<Answer>(accountId: string, task: ReadTask | UnwrapTask): Promise<Answer> {
  const answer = await inTurn(accountId, () => inThread<Answer>(file, task, limits));
  if (answer === null) throw refused("takes too long or too much memory to read; send it in smaller parts");
  return answer;
}

function refused(why: string): AppError {
  const [, field = "content", message = why] = /^(?:(columns): )?(.*)$/s.exec(why) ?? [];
  return refusal("BAD_REQUEST", field, "invalid_file", message);
}
