import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const killNode: Fault = {
  name: "kill-node",
  what: "kill -9 of a node",
  async run({ nodes }) {
    await nodes[2].part.kill();
    await sleep(3000);
    nodes[2].part.start();
  },
};
