import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Binaries } from "./binaries.ts";
import { ENVIRONMENT } from "./cluster.ts";
import { codeOf, unless } from "./errors.ts";
import type { Home } from "./home.ts";
import { isRunning } from "./process-mark.ts";
import { PORT, removeSocket } from "./socket.ts";

/** What postmaster.pid says of a server; `status` is empty very early in its start. */
export interface Postmaster {
  readonly pid: number;
  readonly socketFolder: string;
  readonly status: "" | "starting" | "ready" | "standby" | "stopping";
}

const LARGEST_LOG = 10 * 1024 * 1024;
const NOT_DURABLE = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** How a server is asked to stop, and how many milliseconds it gets each time: fast, immediate, by force. */
const STOP_SIGNALS = [
  ["SIGINT", 10_000],
  ["SIGQUIT", 6_000],
  ["SIGKILL", 2_000],
] as const;

/** The server that runs on this home's cluster; undefined when none does. */
export async function findPostmaster(home: Home): Promise<Postmaster | undefined> {
  const file = join(home.cluster, "postmaster.pid");
  const lines = (await unless(readFile(file, "utf8"), "ENOENT"))?.split("\n");
  const pid = Number(lines?.[0]);
  // PostgreSQL clears a dead server's file itself, once that server's last session has gone.
  if (!lines || !(pid > 0) || !isRunning(pid)) return undefined;
  if (!isPostmaster(pid, home.cluster)) {
    // It believes any live process with that pid, which after a crash of the machine may be anything.
    await rm(file, { force: true });
    return undefined;
  }
  const status = (lines[7] ?? "").trim() as Postmaster["status"];
  return { pid, socketFolder: lines[4] ?? "", status };
}

/**
 * Starts a server and resolves when it takes connections.
 * @throws with the end of its log when it ends, or is not ready after `timeoutMs`
 */
export async function spawnPostmaster(
  home: Home,
  binaries: Binaries,
  options: { socketFolder: string; durable: boolean; timeoutMs: number },
): Promise<void> {
  const settings = [
    "listen_addresses=",
    `port=${PORT}`,
    `unix_socket_directories="${options.socketFolder}"`,
    "unix_socket_permissions=0700",
    ...(options.durable ? [] : NOT_DURABLE),
  ];
  const log = await openLog(home);
  try {
    // In a session of its own: Ctrl-C in the terminal is for us, who then stop the server in good order.
    const server = spawn(
      binaries.postgres,
      ["-D", home.cluster, ...settings.flatMap((setting) => ["-c", setting])],
      {
        ...home.account,
        cwd: "/",
        env: ENVIRONMENT,
        detached: true,
        stdio: ["ignore", log.handle.fd, log.handle.fd],
      },
    );
    await once(server, "spawn");
    server.unref();
    const ended = () => server.exitCode !== null || server.signalCode !== null;
    if (await isReady(home, ended, options.timeoutMs)) return;
  } finally {
    await log.handle.close();
  }
  throw new Error(
    `PostgreSQL did not start: ${(await readFile(home.log)).subarray(log.start).toString().trim()}`,
  );
}

/** Waits until the home's server is ready (true), or has ended or used up `timeoutMs` (false). */
export async function isReady(home: Home, ended: () => boolean, timeoutMs: number): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(10)) {
    if ((await findPostmaster(home))?.status === "ready") return true;
    if (ended()) return false;
  }
  return false;
}

/** Stops the home's server if one runs: at most some 18 seconds. Sessions are ended, commits kept. */
export async function stopPostmaster(home: Home): Promise<void> {
  const server = await findPostmaster(home);
  if (!server) return;
  for (const [signal, timeoutMs] of STOP_SIGNALS) {
    send(server.pid, signal);
    if (await hasEnded(server.pid, timeoutMs)) break;
  }
  await removeSocket(server.socketFolder);
}

/** Waits for a process to end: true, or false after `timeoutMs`. */
export async function hasEnded(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(10);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/** Whether a live process is a server on this cluster, which it has made its working directory. */
function isPostmaster(pid: number, cluster: string): boolean {
  try {
    if (process.platform === "linux") return isSameFolder(`/proc/${pid}/cwd`, cluster);
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(cluster);
  } catch {
    return false;
  }
}

function isSameFolder(one: string, other: string): boolean {
  const [a, b] = [statSync(one), statSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

async function openLog(home: Home) {
  const handle = await open(home.log, "a", 0o600);
  if (home.account) await handle.chown(home.account.uid, home.account.gid);
  if ((await handle.stat()).size > LARGEST_LOG) await handle.truncate();
  return { handle, start: (await handle.stat()).size };
}
