import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "../trial.ts";

export const cutPostgres: Fault = {
  name: "cut-postgres",
  what: "a node without its network to PostgreSQL for 15 s",
  async run({ nodes }) {
    for (const wire of nodes[1].toPostgres) wire.cut();
    await sleep(15_000);
    for (const wire of nodes[1].toPostgres) wire.mend();
  },
};
