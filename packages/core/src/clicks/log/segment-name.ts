import { createHash, randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The parts of a segment's file name. Names sort by writer, and of a writer in the order of writing. */
export interface SegmentName {
  /** When the writer started, ms since the epoch */
  since: number;
  /** 32 hex digits, random for each writer */
  writer: string;
  /** 0, 1, 2 … within the writer */
  number: number;
  owner: SegmentOwner;
}

/** A name for a writer, different from all others. */
export const newWriter = (): string => randomUUID().replaceAll("-", "");

export const ending = ".clicks";
const shape = /^(\d{14})-([0-9a-f]{32})-(\d{8})-(\d+)-(\d+)-([0-9a-f]{8})\.clicks$/;

/** The segment's identity: its file name without the ending. */
export function segmentId({ since, writer, number, owner }: SegmentName): string {
  const order = `${String(since).padStart(14, "0")}-${writer}-${String(number).padStart(8, "0")}`;
  return `${order}-${owner.pid}-${owner.started}-${owner.machine}`;
}

/** The file name of a segment. */
export const segmentFile = (id: string): string => id + ending;

/** Returns undefined for files that are not segments. */
export function parseFileName(file: string): SegmentName | undefined {
  const match = shape.exec(file);
  if (!match) return undefined;
  const [, since = "", writer = "", number = "", pid = "", started = "", machine = ""] = match;
  return {
    since: Number(since),
    writer,
    number: Number(number),
    owner: { pid: Number(pid), started: Number(started), machine },
  };
}

/** The process that writes a segment, distinct from any other process that ever has the same pid. */
export interface SegmentOwner {
  pid: number;
  /** Clock ticks from boot to the process's start, 0 if /proc does not tell */
  started: number;
  /** Hash of machine, boot and pid namespace, 8 hex digits: within them, a pid means one process */
  machine: string;
}

/** An owner elsewhere counts as dead if its segment was not touched for this long; writers touch theirs every second. */
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
  machine: createHash("sha256")
    .update(`${boot || hostname()}\n${namespace}`)
    .digest("hex")
    .slice(0, 8),
};

/** Whether the owner can still write. `touched`: when its segment last changed, ms since the epoch. */
export function isAlive(owner: SegmentOwner, touched: number): boolean {
  const fresh = Date.now() - touched < silenceMs;
  if (owner.machine !== self.machine) return fresh;
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
