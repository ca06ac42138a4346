import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const killRedis: Fault = {
  name: "kill-redis",
  what: "kill -9 of Redis' primary",
  async run({ redis }) {
    await redis[1].kill();
    await sleep(8000);
    redis[1].start();
  },
};
