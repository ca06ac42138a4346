import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const killEtcd: Fault = {
  name: "kill-etcd",
  what: "kill -9 of a member of etcd",
  async run({ etcd }) {
    await etcd[1].kill();
    await sleep(10_000);
    etcd[1].start();
  },
};
