import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const killProxy: Fault = {
  name: "kill-proxy",
  what: "kill -9 of one of the two proxies",
  mayFailRedirects: "requests on their way through it",
  async run({ proxies }) {
    await proxies[1].kill();
    await sleep(5000);
    proxies[1].start();
  },
};
