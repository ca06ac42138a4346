import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const cutNats: Fault = {
  name: "cut-nats",
  what: "a node without its network to JetStream for 15 s",
  async run({ nodes }) {
    for (const wire of nodes[1].toNats) wire.cut();
    await sleep(15_000);
    for (const wire of nodes[1].toNats) wire.mend();
  },
};
