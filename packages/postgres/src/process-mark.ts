import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * Returns a unique name that identifies this process as the owner: `<pid>.<start>.<uuid>`. The start time distinguishes
 * it from a later process with the same pid.
 */
export function newMark(): string {
  return `${process.pid}.${startOf(process.pid) ?? "0"}.${randomUUID()}`;
}

/** Whether the process that created the mark still runs; false for other names. */
export function isLive(mark: string): boolean {
  const [pid, start] = mark.split(".");
  return /^\d+$/.test(pid ?? "") && start !== undefined && startOf(Number(pid)) === start;
}

/** Whether a process with this pid runs. A zombie has ended and does not count. */
export function isRunning(pid: number): boolean {
  return startOf(pid) !== undefined;
}

/** Returns an identifier of the start of the process with this pid; undefined if none runs. */
function startOf(pid: number): string | undefined {
  return process.platform === "linux" ? startOnLinux(pid) : startFromPs(pid);
}

const bootId = "/proc/sys/kernel/random/boot_id";

function startOnLinux(pid: number): string | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // The command, in parentheses, may itself contain spaces and parentheses; the fields start after the last one.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (!fields || fields[0] === "Z" || fields[0] === "X") return undefined;
  // As that process sees it: in a container, a systemd unit with ProtectProc= sees the host's, and a shell another one.
  const boot = (read(`/proc/${pid}/root${bootId}`) ?? read(bootId))?.slice(0, 8);
  return `${fields[19]}${boot ? `-${boot}` : ""}`;
}

function startFromPs(pid: number): string | undefined {
  try {
    const line = execFileSync("ps", ["-o", "state=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    return line.startsWith("Z") ? undefined : line.replace(/^\S+/, "").replaceAll(/[^\w]+/g, "-");
  } catch {
    return undefined;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
