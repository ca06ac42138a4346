import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const pauseNode: Fault = {
  name: "pause-node",
  what: "a node stands still for 30 s (SIGSTOP, SIGCONT)",
  async run({ nodes }) {
    await nodes[2].part.pause();
    await sleep(30_000);
    await nodes[2].part.resume();
  },
};
