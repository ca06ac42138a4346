import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../../packages/testkit/src/index.ts";
import { primaryNumber } from "../parts/postgres.ts";
import type { Fault } from "../trial.ts";

export const killPrimary: Fault = {
  name: "kill-primary",
  what: "kill -9 of PostgreSQL's primary and its Patroni",
  async run({ postgres, primary }) {
    const dead = await primary();
    await postgres[dead].kill();
    await until(async () => ![null, dead].includes(await primaryNumber()), 120_000);
    await sleep(2000);
    postgres[dead].start();
  },
};
