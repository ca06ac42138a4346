import { extname } from "node:path";
import { Worker } from "node:worker_threads";

/** A thread's limits: milliseconds, and megabytes of JavaScript objects. */
interface Limits {
  maxMs: number;
  maxMb: number;
}

/** The file of a thread, which is in the folder of the module that starts it, also when built. */
export const threadFile = (name: string, moduleUrl: string): URL =>
  new URL(`./${name}${extname(moduleUrl)}`, moduleUrl);

/**
 * Does a task in its own thread, so that nothing else waits for it. The file gets the task as `workerData`, and posts
 * one message, the answer. Null if the thread fails, or reaches a limit; it is ended then.
 */
export async function inThread<Answer>(
  file: URL,
  task: unknown,
  { maxMs, maxMb }: Limits,
): Promise<Answer | null> {
  const worker = new Worker(file, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: maxMb } });
  const timeout = setTimeout(() => void worker.terminate(), maxMs);
  try {
    return await new Promise((resolve) => {
      worker.once("message", resolve);
      // Out of memory, or failed before it could answer
      worker.once("error", () => resolve(null));
      worker.once("exit", () => resolve(null));
    });
  } finally {
    clearTimeout(timeout);
    await worker.terminate();
  }
}

/** Milliseconds without a task after which a lasting thread ends */
const idleMs = 10_000;

/**
 * Returns a function that does tasks in one thread, because starting a thread takes longer than a small task. The caller sends one
 * task at a time. The file gets each as a message, and posts one message, the answer; null as above.
 */
export function lastingThread(file: URL, { maxMs, maxMb }: Limits) {
  let thread: Worker | null = null;
  let answered: (answer: unknown) => void = () => {};
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: maxMb } });
    const fail = () => {
      if (thread !== worker) return;
      thread = null;
      answered(null);
    };
    worker.on("message", (answer: unknown) => thread === worker && answered(answer));
    return worker.on("error", fail).on("exit", fail);
  }

  function end(): void {
    const ended = thread;
    thread = null;
    void ended?.terminate();
  }

  return async <Answer>(task: unknown): Promise<Answer | null> => {
    clearTimeout(idle);
    const worker = (thread ??= start());
    worker.ref();
    let timeout: NodeJS.Timeout | undefined;
    const answer = await new Promise<unknown>((resolve) => {
      answered = resolve;
      timeout = setTimeout(resolve, maxMs, null);
      worker.postMessage(task, []);
    });
    clearTimeout(timeout);
    if (answer === null) end();
    else {
      worker.unref();
      idle = setTimeout(end, idleMs).unref();
    }
    return answer as Answer | null;
  };
}
