import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const killNats: Fault = {
  name: "kill-nats",
  what: "kill -9 of one of JetStream's three servers",
  async run({ nats }) {
    await nats[1].kill();
    await sleep(10_000);
    nats[1].start();
  },
};
