import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const killProxy: Fault = {
  name: "kill-proxy",
  what: "kill -9 of the proxy",
  mayFailRedirects: true,
  async run({ haproxy }) {
    await haproxy.kill();
    await sleep(1000);
    haproxy.start();
  },
};
