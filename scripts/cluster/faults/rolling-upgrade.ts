import { until } from "../../../packages/testkit/src/index.ts";
import { three } from "../addresses.ts";
import { isReady, root, serviceOf } from "../parts/node.ts";
import type { Fault } from "../trial.ts";

export const rollingUpgrade: Fault = {
  name: "rolling-upgrade",
  what: "every node is upgraded from the previous version, one after the other",
  startsEarlier: true,
  async run({ nodes }) {
    for (const number of three) {
      await nodes[number].part.stop();
      nodes[number].part.start(serviceOf(root));
      await until(() => isReady(number), 120_000);
    }
  },
};
