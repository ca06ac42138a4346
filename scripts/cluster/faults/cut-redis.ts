import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const cutRedis: Fault = {
  name: "cut-redis",
  what: "a node without its network to Redis for 15 s",
  async run({ nodes }) {
    nodes[1].toRedis.cut();
    await sleep(15_000);
    nodes[1].toRedis.mend();
  },
};
