import { setTimeout as sleep } from "node:timers/promises";
import { three } from "../addresses.ts";
import type { Fault } from "../trial.ts";

export const killStandby: Fault = {
  name: "kill-standby",
  what: "kill -9 of a standby",
  async run({ postgres, primary }) {
    const first = await primary();
    const standby = three.find((number) => number !== first) ?? 1;
    await postgres[standby].kill();
    await sleep(10_000);
    postgres[standby].start();
  },
};
