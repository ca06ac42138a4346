import { until } from "../../../packages/testkit/src/index.ts";
import { three } from "../addresses.ts";
import { isReady } from "../parts/node.ts";
import type { Fault } from "../trial.ts";

export const rollingRestart: Fault = {
  name: "rolling-restart",
  what: "every node restarts, one after the other",
  async run({ nodes }) {
    for (const number of three) {
      await nodes[number].part.stop();
      nodes[number].part.start();
      await until(() => isReady(number), 120_000);
    }
  },
};
