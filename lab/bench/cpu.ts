import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Pool } from "pg";

/** Other systems have no /proc: these figures are left out there. */
export const canMeasureCpu = process.platform === "linux";

/** The unit of /proc/PID/stat and /proc/stat on Linux, `sysconf(_SC_CLK_TCK)` */
const ticksPerSecond = 100;

/** The numbers of a process from its state on, see proc_pid_stat(5): its name, which may contain anything, is before them. */
const statOf = (pid: number) =>
  readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);

/** Seconds that a process has computed, and those of its children that ended; 0 if it has ended itself. */
function secondsOf(pid: number): number {
  try {
    const [user = 0, system = 0, children = 0, childrenSystem = 0] = statOf(pid).slice(11, 15);
    return (user + system + children + childrenSystem) / ticksPerSecond;
  } catch {
    return 0;
  }
}

/** Seconds that a PostgreSQL on this machine has computed since its start, in all of its processes. */
export async function postgresCpu(pool: Pool): Promise<number> {
  if (!canMeasureCpu) return Number.NaN;
  const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const [, server = 0] = statOf(rows[0]?.pid ?? 0);
  const children = readFileSync(`/proc/${server}/task/${server}/children`, "utf8").trim().split(" ");
  // The server last: a child that ends meanwhile is among those of it that ended.
  return [...children.map(Number), server].reduce((sum, pid) => sum + secondsOf(pid), 0);
}

/** Seconds that all cores of this machine have been idle since its start. */
export function idleCpu(): number {
  if (!canMeasureCpu) return Number.NaN;
  const [, , , , idle = 0, waiting = 0] = readFileSync("/proc/stat", "utf8").split(/\s+/).map(Number);
  return (idle + waiting) / ticksPerSecond;
}

export const cores = availableParallelism();
