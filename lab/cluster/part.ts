import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

export interface PartOptions {
  /** Names its log: `pg1` → pg1.log */
  name: string;
  command: string;
  args: readonly string[];
  env?: Record<string, string>;
  /** The user who runs it, if this is root */
  user?: { uid: number; gid: number } | undefined;
  /** Processes that it has started and that have left it */
  others?: () => number[];
}

/** One program of the cluster with all that it starts, which stand for a machine: they are killed and paused together. */
export class Part {
  readonly name: string;
  readonly log: string;
  #options: PartOptions;
  #child: ChildProcess | undefined;

  constructor(folder: string, options: PartOptions) {
    this.name = options.name;
    this.log = join(folder, `${options.name}.log`);
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get env(): Record<string, string> {
    return this.#options.env ?? {};
  }

  /** Starts it (again), with other settings or from another command if they are given. */
  start(changes: Partial<Pick<PartOptions, "command" | "args" | "env">> = {}): void {
    this.#options = { ...this.#options, ...changes };
    const { command, args, env = {}, user } = this.#options;
    const log = openSync(this.log, "a", 0o666);
    this.#child = spawn(command, args, {
      env: { PATH: process.env.PATH, HOME: "/tmp", ...env },
      stdio: ["ignore", log, log],
      detached: true,
      cwd: "/",
      ...user,
    });
    closeSync(log);
    this.#child.on("error", (error) => console.error(`${this.name}: ${error.message}`));
  }

  /** Ends all its processes at once, as a power cut does. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || !this.isRunning) return;
    const ended = once(child, "exit");
    await this.#signal("SIGKILL");
    await ended;
  }

  /** Asks it to stop, and waits until it has. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || !this.isRunning) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }

  /** The ids of all its processes */
  async pids(): Promise<number[]> {
    return family([Number(this.#child?.pid), ...(this.#options.others?.() ?? [])]);
  }

  /** All its processes stand still, and keep their connections, until `resume`. */
  pause(): Promise<void> {
    return this.#signal("SIGSTOP");
  }
  resume(): Promise<void> {
    return this.#signal("SIGCONT");
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    for (const pid of await this.pids()) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  }
}

/** Processes and all that they have started. Blocks nothing: the wires of the cluster are in this process. */
async function family(roots: readonly number[]): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]);
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const found = [...roots];
  for (const parent of found) for (const [pid = 0, ppid] of rows) if (ppid === parent) found.push(pid);
  return found;
}
