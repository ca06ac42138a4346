import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The process that writes a segment, told from every other process that ever has the same number. */
export interface SegmentOwner {
  pid: number;
  /** Clock ticks from boot to the process's start, 0 where /proc does not tell */
  started: number;
  /** Hash of machine, boot and pid namespace, 8 hex digits: in one place a pid means one process */
  place: string;
}

/** An owner in another place is taken for dead when its segment was not touched for so long; writers touch every second. */
const silenceMs = 15_000;

const read = (get: () => string): string => {
  try {
    return get().trim();
  } catch {
    return "";
  }
};

/** State letter and start time of a process; undefined where /proc does not tell. Source: proc_pid_stat(5). */
export function processStat(pid: number | "self"): { state: string; started: number } | undefined {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // Field 2 is the program's name, which may hold spaces and parentheses: count from behind it.
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

/** Whether the owner may still write. `touched`: when its segment last changed, ms since the epoch. */
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
