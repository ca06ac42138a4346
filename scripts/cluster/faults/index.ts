import type { Fault } from "../trial.ts";
import { clock } from "./clock.ts";
import { cutNats } from "./cut-nats.ts";
import { cutPostgres } from "./cut-postgres.ts";
import { cutRedis } from "./cut-redis.ts";
import { killEtcd } from "./kill-etcd.ts";
import { killNats } from "./kill-nats.ts";
import { killNode } from "./kill-node.ts";
import { killPrimary } from "./kill-primary.ts";
import { killProxy } from "./kill-proxy.ts";
import { killRedis } from "./kill-redis.ts";
import { killStandby } from "./kill-standby.ts";
import { killTwo } from "./kill-two.ts";
import { loseNode } from "./lose-node.ts";
import { pauseNode } from "./pause-node.ts";
import { pausePrimary } from "./pause-primary.ts";
import { restore } from "./restore.ts";
import { rollingRestart } from "./rolling-restart.ts";
import { rollingUpgrade } from "./rolling-upgrade.ts";
import { slowDisk } from "./slow-disk.ts";

/** In the order of the table */
export const faults: readonly Fault[] = [
  rollingUpgrade,
  killNode,
  loseNode,
  killPrimary,
  killStandby,
  killRedis,
  killNats,
  killEtcd,
  killProxy,
  killTwo,
  cutPostgres,
  cutRedis,
  cutNats,
  pauseNode,
  pausePrimary,
  slowDisk,
  clock,
  rollingRestart,
  restore,
];
