import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const loseNode: Fault = {
  name: "lose-node",
  what: "a node is lost with its disk, and starts on an empty one",
  async run({ nodes }) {
    await nodes[2].part.kill();
    nodes[2].removeDisk();
    await sleep(5000);
    nodes[2].part.start();
  },
};
