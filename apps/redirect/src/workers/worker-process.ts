import cluster, { type Worker } from "node:cluster";
import { join } from "node:path";
import { UserError } from "@terse/server";
import { messages } from "./messages.ts";

/** A worker from its start to its end. */
export interface WorkerProcess {
  readonly pid: number;
  /** Whether it has ever listened */
  readonly wasReady: boolean;
  /** Resolves when it listens; rejects where it ends before. */
  readonly ready: Promise<void>;
  /** How it ended: its exit code or a signal's name */
  readonly ended: Promise<string>;
  /** Resolves when it takes no connections any more: it is stopping, or has ended. */
  readonly closed: Promise<void>;
  /** Lets a worker that is closed send its clients away. */
  release(): void;
  signal(name: NodeJS.Signals): void;
}

/** Workers could not be started. The message is one line; the worker itself has written why. */
export class WorkersError extends UserError {
  override readonly name = "WorkersError";
}

/** Starts a worker with these settings in place of the main process's own; one that cannot be made has ended at once. */
export function startWorker(settings: Readonly<Record<string, string>>): WorkerProcess {
  cluster.setupPrimary({ exec: join(import.meta.dirname, "worker.ts"), args: [] });
  try {
    return runOf(cluster.fork(settings));
  } catch (error) {
    return noRun(error instanceof Error ? error.message : String(error));
  }
}

const didNotStart = (how: string) => new WorkersError(`A redirect worker did not start (${how})`);

function noRun(reason: string): WorkerProcess {
  const ready = Promise.reject(didNotStart(reason));
  ready.catch(() => {});
  const ended = Promise.resolve(reason);
  const closed = Promise.resolve();
  return { pid: 0, wasReady: false, ready, ended, closed, release: () => {}, signal: () => {} };
}

function runOf(worker: Worker): WorkerProcess {
  let wasReady = false;
  const ended = new Promise<string>((resolve) => {
    worker.once("exit", (code, signal) => resolve(signal || `exit code ${code}`));
    // What never ran has no exit. Any other error is of a message to a worker that is about to have one.
    worker.on("error", (error) => worker.process.pid === undefined && resolve(error.message));
  });
  const said = (wanted: string) =>
    new Promise<void>((resolve) => {
      worker.on("message", (message: unknown) => {
        if (message === wanted) resolve();
      });
    });
  const ready = new Promise<void>((resolve, reject) => {
    void said(messages.ready).then(() => {
      wasReady = true;
      resolve();
    });
    void ended.then((how) => reject(didNotStart(how)));
  });
  ready.catch(() => {});
  return {
    pid: worker.process.pid ?? 0,
    get wasReady() {
      return wasReady;
    },
    ready,
    ended,
    closed: Promise.race([said(messages.closed), ended.then(() => {})]),
    release: () => {
      if (worker.isConnected()) worker.send(messages.release, () => {});
    },
    signal: (name) => void worker.process.kill(name),
  };
}
