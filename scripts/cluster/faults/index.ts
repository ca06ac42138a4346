import type { Fault } from "../trial.ts";
import { clock } from "./clock.ts";
import { cutPostgres } from "./cut-postgres.ts";
import { cutRedis } from "./cut-redis.ts";
import { killEtcd } from "./kill-etcd.ts";
import { killNode } from "./kill-node.ts";
import { killPrimary } from "./kill-primary.ts";
import { killProxy } from "./kill-proxy.ts";
import { killRedis } from "./kill-redis.ts";
import { killStandby } from "./kill-standby.ts";
import { killTwo } from "./kill-two.ts";
import { pauseNode } from "./pause-node.ts";
import { pausePrimary } from "./pause-primary.ts";
import { rollingRestart } from "./rolling-restart.ts";

/** In the order of the table */
export const faults: readonly Fault[] = [
  killNode,
  killPrimary,
  killStandby,
  killRedis,
  killEtcd,
  killProxy,
  killTwo,
  cutPostgres,
  cutRedis,
  pauseNode,
  pausePrimary,
  clock,
  rollingRestart,
];
