import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, unless } from "./errors.ts";
import type { Home } from "./home.ts";
import { isRunning } from "./process-mark.ts";
import { removeSocket } from "./socket.ts";

/** A server as described by postmaster.pid; `status` is empty very early in its start. */
export interface Postmaster {
  readonly pid: number;
  readonly socketFolder: string;
  readonly status: "" | "starting" | "ready" | "standby" | "stopping";
}

/** The signals that stop a server (fast, immediate, kill), each with its timeout in milliseconds. */
const stopSignals = [
  ["SIGINT", 10_000],
  ["SIGQUIT", 6_000],
  ["SIGKILL", 2_000],
] as const;

/** Returns the server that runs on this home's cluster, or undefined. */
export async function findPostmaster(home: Home): Promise<Postmaster | undefined> {
  const file = join(home.cluster, "postmaster.pid");
  const lines = (await unless(readFile(file, "utf8"), "ENOENT"))?.split("\n");
  const pid = Number(lines?.[0]);
  // PostgreSQL removes a dead server's file itself, after the last session has ended.
  if (!lines || !(pid > 0) || !isRunning(pid)) return undefined;
  if (!isPostmaster(pid, home.cluster)) {
    // PostgreSQL trusts any live process with that pid, but after a crash of the machine it may be any program.
    await rm(file, { force: true });
    return undefined;
  }
  const status = (lines[7] ?? "").trim() as Postmaster["status"];
  return { pid, socketFolder: lines[4] ?? "", status };
}

/** Waits until the home's server is ready (true), or has ended or exceeded `timeoutMs` (false). */
export async function isReady(home: Home, ended: () => boolean, timeoutMs: number): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await sleep(10)) {
    if ((await findPostmaster(home))?.status === "ready") return true;
    if (ended()) return false;
  }
  return false;
}

/** Stops the home's server if it runs, within about 18 seconds. Sessions end, committed data is kept. */
export async function stopPostmaster(home: Home): Promise<void> {
  const server = await findPostmaster(home);
  if (!server) return;
  for (const [signal, timeoutMs] of stopSignals) {
    send(server.pid, signal);
    if (await hasEnded(server.pid, timeoutMs)) break;
  }
  await removeSocket(server.socketFolder);
}

/** Waits for a process to end; false after `timeoutMs`. */
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

/** Whether a live process is a server on this cluster: its working directory is the cluster. */
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
