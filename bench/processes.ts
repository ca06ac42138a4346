import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** One core for what is measured, the other for the load and the database. */
const serverCore = "0";
export const loadCore = "1";

const canPin = spawnSync("taskset", ["-c", serverCore, "true"]).status === 0;
if (!canPin) console.log("(no taskset here: nothing is pinned to a core, and the ratios are rougher)");

/**
 * As `npm start` runs it: a small nursery for objects keeps the process small, and costs nothing measurable; from the
 * second start on, a cache of compiled code spares it the memory that stripping types takes.
 */
const nodeFlags = ["--max-semi-space-size=8"];
const NODE_COMPILE_CACHE = join(import.meta.dirname, "../node_modules/.cache/node");

export interface Server {
  port: number;
  ask(question: string): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** Runs a file of this folder that sends its port, pinned to one core. */
export async function startPinned(
  file: string,
  args: string[] = [],
  execArgv: string[] = [],
): Promise<Server> {
  const child = fork(join(import.meta.dirname, file), args, {
    execArgv: [...nodeFlags, ...execArgv],
    env: { ...process.env, NODE_COMPILE_CACHE },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  if (canPin) spawnSync("taskset", ["-a", "-p", "-c", serverCore, String(child.pid)]);
  const [port] = (await once(child, "message")) as [number];
  return {
    port,
    async ask(question) {
      child.send(question);
      const [answer] = (await once(child, "message")) as [Record<string, unknown>];
      return answer;
    },
    stop: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Command and arguments, pinned to the other core where that is possible. */
export const onLoadCore = (command: string, args: string[]): [string, string[]] =>
  canPin ? ["taskset", ["-c", loadCore, command, ...args]] : [command, args];
