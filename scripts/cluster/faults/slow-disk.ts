import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

const flushes = "fsync,fdatasync";
const delayUs = 200_000;

export const slowDisk: Fault = {
  name: "slow-disk",
  what: "each flush of a node's disk and of the primary's takes 0.2 s longer, for 20 s",
  needs: ["strace"],
  async run({ nodes, postgres, primary }) {
    const pids = [...(await nodes[1].part.pids()), ...(await postgres[await primary()].pids())];
    const slow = [`trace=${flushes}`, `inject=${flushes}:delay_exit=${delayUs}`].flatMap((what) => [
      "-e",
      what,
    ]);
    const args = ["-f", "-qqq", "-o", "/dev/null", ...slow, ...pids.flatMap((pid) => ["-p", String(pid)])];
    const strace = spawn("strace", args, { stdio: "ignore" });
    const ended = once(strace, "exit");
    await sleep(20_000);
    strace.kill();
    await ended;
  },
};
