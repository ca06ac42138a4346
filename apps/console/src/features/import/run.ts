import { refresh, statusOf } from "../../kit/api/api.ts";
import type { ImportRow, Job, JobStorage, Result } from "./job.ts";
import { inOneTab } from "./one-tab.ts";
import { type Answer, chunkAt, create, retryAfter } from "./send.ts";
import { reasonOf } from "../../kit/reason.ts";

/** What an import does right now. */
export type State =
  | { is: "running" }
  | { is: "waiting"; why: "limit" | "connection"; until: number }
  | { is: "elsewhere" }
  | { is: "failed"; error: unknown }
  | { is: "ended" };

interface Progress {
  job: Job;
  results: readonly Result[];
}

const tooMany = 429;
const taken = 409;

type Report = (state: State, progress?: Progress) => void;

let before: Promise<void> = Promise.resolve();

/**
 * Sends the rest of an import, chunk by chunk, until it is done or `signal` is aborted. A request that was sent by then is
 * not taken back: its answer is still awaited and stored. Waits where the service asks for it. One tab at a time does so,
 * and in a tab one call after the other.
 */
export function run(storage: JobStorage, signal: AbortSignal, report: Report): Promise<void> {
  before = before.catch(() => {}).then(() => runAlone(storage, signal, report));
  return before;
}

async function runAlone(storage: JobStorage, signal: AbortSignal, report: Report): Promise<void> {
  await inOneTab(async (isAlone) => {
    if (!isAlone) return report({ is: "elsewhere" });
    const rows = await storage.rows();
    const results = await storage.results();
    let job = await storage.job();
    while (job && job.done < job.total && !signal.aborted) {
      report({ is: "running" }, { job, results });
      const chunk = chunkAt(rows, job.done);
      job = await storage.change({ sent: job.done + chunk.length });
      const outcome = await send(job, chunk);
      if ("error" in outcome) {
        const { error } = outcome;
        if (isRefusal(error)) {
          job = await storage.change({ sent: job.done });
          report({ is: "running" }, { job, results });
        }
        const seconds = retryAfter(error);
        if (seconds === null) return report({ is: "failed", error });
        await wait(seconds, statusOf(error) === null ? "connection" : "limit", signal, report);
        continue;
      }
      const { answer } = outcome;
      const limited = answer.results.findIndex(({ status }) => status === tooMany);
      const finished = limited === -1 ? answer.results : answer.results.slice(0, limited);
      results.length = job.done;
      for (const each of finished) results.push(resultOf(each));
      job = await storage.advance(job.done + finished.length, results);
      report({ is: "running" }, { job, results });
      if (limited !== -1) await wait(answer.retry_after ?? 1, "limit", signal, report);
    }
    if (job && job.done >= job.total) report({ is: "ended" }, { job, results });
    void refresh("links");
  });
}

async function send(job: Job, chunk: ImportRow[]) {
  try {
    return { answer: await create(chunk, `${job.id}-${job.done}`) };
  } catch (error) {
    return { error };
  }
}

/** Whether the service did nothing of what was asked. Without an answer, or while the same request runs, nobody knows. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status !== null && status < 500 && status !== taken;
}

function resultOf({ id, short_url = "", status, ...refusal }: Answer["results"][number]): Result {
  const reason = reasonOf(refusal);
  if (reason === undefined) return ["created", short_url];
  return status === taken && id !== undefined ? ["exists", short_url] : ["refused", reason];
}

/** Resolves after some seconds, or at once when the signal is aborted or the connection is back. */
function wait(
  seconds: number,
  why: "limit" | "connection",
  signal: AbortSignal,
  report: Report,
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  report({ is: "waiting", why, until: Date.now() + seconds * 1000 });
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, seconds * 1000);
    signal.addEventListener("abort", end);
    if (why === "connection") window.addEventListener("online", end);
  });
}
