import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** One core for the measured process, the other for the load and the database. */
const serverCore = "0";
const loadCore = "1";

const canPin = spawnSync("taskset", ["-c", serverCore, "true"]).status === 0;
if (!canPin)
  console.log(
    "(taskset is not available: processes are not pinned to cores, so the ratios are less precise)",
  );

/**
 * As in `npm start`: a small young generation keeps the process small at no measurable cost, and from the second start
 * on the compile cache saves the memory that type stripping takes.
 */
const nodeFlags = ["--max-semi-space-size=8"];
const NODE_COMPILE_CACHE = join(import.meta.dirname, "../../node_modules/.cache/node");

export interface Server {
  port: number;
  ask(question: string): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** Starts a script of this folder, pinned to one core; the script sends its port. */
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
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

/** Returns a command and its arguments, pinned to the other core if possible. */
export const onLoadCore = (command: string, args: string[]): [string, string[]] =>
  canPin ? ["taskset", ["-c", loadCore, command, ...args]] : [command, args];
