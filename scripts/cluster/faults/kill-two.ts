import type { Fault } from "../trial.ts";
import { killPrimary } from "./kill-primary.ts";

export const killTwo: Fault = {
  name: "kill-two",
  what: "kill -9 of a node and PostgreSQL's primary at once",
  async run(cluster, load) {
    await cluster.nodes[3].part.kill();
    await killPrimary.run(cluster, load);
    cluster.nodes[3].part.start();
  },
};
