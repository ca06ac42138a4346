import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Processes that may use a certain processor time together. */
export interface CpuLimit {
  add(pid: number): void;
  /** Call it when all its processes have ended. */
  remove(): void;
}

const folder = "/sys/fs/cgroup";
const periodUs = 20_000;

/**
 * Makes a control group of Linux, in either version, whose processes may use `cores` processors together, such as 0.25.
 * @throws if the system has none, or this user may not make one
 */
export function createCpuLimit(name: string, cores: number): CpuLimit {
  const isSecond = existsSync(join(folder, "cgroup.controllers"));
  const parent = isSecond ? folder : join(folder, "cpu");
  const group = join(parent, `terse-bench-${name}`);
  const write = (file: string, text: string) => writeFileSync(join(group, file), text, { flag: "r+" });
  const quotaUs = Math.round(cores * periodUs);
  if (isSecond) writeFileSync(join(parent, "cgroup.subtree_control"), "+cpu", { flag: "r+" });
  mkdirSync(group);
  if (isSecond) {
    write("cpu.max", `${quotaUs} ${periodUs}`);
  } else {
    write("cpu.cfs_period_us", String(periodUs));
    write("cpu.cfs_quota_us", String(quotaUs));
  }
  return {
    add: (pid) => write("cgroup.procs", String(pid)),
    remove: () => rmdirSync(group),
  };
}

/** Whether this machine and user can limit processor time. */
export function canLimitCpu(): boolean {
  try {
    createCpuLimit("attempt", 1).remove();
    return true;
  } catch {
    return false;
  }
}
