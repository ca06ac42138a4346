import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The process that writes a segment, distinct from any other process that ever has the same pid. */
export interface SegmentOwner {
  pid: number;
  /** Clock ticks from boot to the process's start, 0 if /proc does not tell */
  started: number;
  /** Hash of machine, boot and pid namespace, 8 hex digits: within a place, a pid means one process */
  place: string;
}

/** An owner elsewhere counts as dead if its segment was not touched for this long; writers touch it every second. */
const silenceMs = 15_000;

const read = (get: () => string): string => {
  try {
    return get().trim();
  } catch {
    return "";
  }
};

/** State letter and start time of a process; undefined if /proc does not tell. Source: proc_pid_stat(5). */
export function processStat(pid: number | "self"): { state: string; started: number } | undefined {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // Field 2 is the program's name, which can contain spaces and parentheses: count the fields after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const started = Number(fields[19]);
  return Number.isSafeInteger(started) ? { state: fields[0] ?? "", started } : undefined;
}

const boot = read(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"));
const namespace = read(() => readlinkSync("/proc/self/ns/pid"));

/** This process. */
export const self: SegmentOwner = {
  pid: process.pid,
  started: processStat("self")?.started ?? 0,
  place: createHash("sha256")
    .update(`${boot || hostname()}\n${namespace}`)
    .digest("hex")
    .slice(0, 8),
};

/** Whether the owner can still write. `touched`: when its segment last changed, ms since the epoch. */
export function isAlive(owner: SegmentOwner, touched: number): boolean {
  const fresh = Date.now() - touched < silenceMs;
  if (owner.place !== self.place) return fresh;
  const stat = processStat(owner.pid);
  if (stat && owner.started > 0) return stat.started === owner.started && !"ZXx".includes(stat.state);
  return exists(owner.pid) && fresh;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
