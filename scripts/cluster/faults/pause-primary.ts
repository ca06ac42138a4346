import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const pausePrimary: Fault = {
  name: "pause-primary",
  what: "PostgreSQL's primary stands still for 30 s, and wakes up beside its successor",
  async run({ postgres, primary }) {
    const paused = postgres[await primary()];
    await paused.pause();
    await sleep(30_000);
    await paused.resume();
  },
};
