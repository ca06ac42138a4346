import cluster, { type Worker } from "node:cluster";
import { join } from "node:path";

/** A worker from its start to its end. */
export interface Run {
  readonly pid: number;
  /** Whether it has ever listened */
  readonly wasReady: boolean;
  /** Resolves when it listens; rejects where it ends before. */
  readonly ready: Promise<void>;
  /** How it ended: its exit code or a signal's name */
  readonly ended: Promise<string>;
  signal(name: NodeJS.Signals): void;
}

/** What a worker sends when it listens. */
export const readyMessage = "ready";

/** Workers could not be started. The message is one line; the worker itself has written why. */
export class WorkersError extends Error {
  override readonly name = "WorkersError";
}

/** Starts a worker with these settings in place of the main process's own. */
export function startRun(settings: Readonly<Record<string, string>>): Run {
  cluster.setupPrimary({ exec: join(import.meta.dirname, "worker.ts"), args: [] });
  const worker: Worker = cluster.fork(settings);
  let wasReady = false;
  const ended = new Promise<string>((resolve) => {
    worker.once("exit", (code, signal) => resolve(signal || `exit code ${code}`));
  });
  const ready = new Promise<void>((resolve, reject) => {
    worker.on("message", (message: unknown) => {
      if (message !== readyMessage) return;
      wasReady = true;
      resolve();
    });
    void ended.then((how) => reject(new WorkersError(`A redirect worker did not start (${how})`)));
  });
  ready.catch(() => {});
  return {
    pid: worker.process.pid ?? 0,
    get wasReady() {
      return wasReady;
    },
    ready,
    ended,
    signal: (name) => void worker.process.kill(name),
  };
}
