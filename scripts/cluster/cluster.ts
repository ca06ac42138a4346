import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../packages/testkit/src/index.ts";
import { type Number3, proxy, three, web } from "./addresses.ts";
import type { Part } from "./part.ts";
import { etcdPart } from "./parts/etcd.ts";
import { haproxyPart } from "./parts/haproxy.ts";
import { isHealthy, type TerseNode, terseNode } from "./parts/node.ts";
import { postgresPart, primaryNumber, query } from "./parts/postgres.ts";
import { redisPart, sentinelPart } from "./parts/redis.ts";

/** How long anything may take to come up or to recover: twenty programs share this machine. */
const patienceMs = 240_000;

/** Three nodes of Terse with all that they need, on this machine. */
export interface Cluster {
  folder: string;
  nodes: Record<Number3, TerseNode>;
  postgres: Record<Number3, Part>;
  redis: Record<Number3, Part>;
  etcd: Record<Number3, Part>;
  haproxy: Part;
  /** The owner's key */
  key: string;
  /** The PostgreSQL that is the primary now, or becomes it */
  primary(): Promise<Number3>;
  /** Waits until every node answers and one PostgreSQL is the primary. */
  recovered(): Promise<void>;
  /** Ends everything, and removes its folder unless it is kept for its logs. */
  close(keep?: boolean): Promise<void>;
}

const each = <Value>(make: (number: Number3) => Value): Record<Number3, Value> => ({
  1: make(1),
  2: make(2),
  3: make(3),
});

/** Starts everything; `say` is called before each step. */
export async function startCluster(say: (step: string) => void): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "terse-cluster-"));
  chmodSync(folder, 0o755);
  const etcd = each((number) => etcdPart(folder, number));
  const postgres = each((number) => postgresPart(folder, number));
  const redis = each((number) => redisPart(folder, number));
  const sentinels = each((number) => sentinelPart(folder, number));
  const haproxy = haproxyPart(folder);
  const nodes = {
    1: await terseNode(folder, 1),
    2: await terseNode(folder, 2),
    3: await terseNode(folder, 3),
  };
  const parts = [etcd, postgres, redis, sentinels].flatMap((group) => Object.values(group));

  const primary = async (): Promise<Number3> => {
    let found: Number3 | null = null;
    await until(async () => (found = await primaryNumber()) !== null, patienceMs);
    return found ?? 1;
  };
  const close = async (keep = false) => {
    for (const number of three) await nodes[number].part.kill();
    for (const part of [haproxy, ...parts]) await part.kill();
    for (const { toPostgres, toRedis } of Object.values(nodes))
      for (const wire of [...toPostgres, toRedis]) wire.close();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void close().then(() => process.exit(130)));
  const recovered = async () => {
    await primary();
    await until(async () => (await Promise.all(three.map(isHealthy))).every(Boolean), patienceMs);
  };

  try {
    say("etcd, Redis and its sentinels, the proxy");
    for (const number of three) {
      etcd[number].start();
      redis[number].start();
      sentinels[number].start();
    }
    haproxy.start();
    say("the first PostgreSQL, then its standbys");
    for (const number of three) postgres[number].start();
    const first = await primary();
    await query(first, "postgres", "create role terse login password 'terse'");
    await query(first, "postgres", "create database terse owner terse");
    await until(async () => (await standbys(first)) === 2, patienceMs);
    say("the nodes");
    nodes[1].part.start();
    await until(() => isHealthy(1), patienceMs);
    nodes[2].part.start();
    nodes[3].part.start();
    await recovered();
    const key = readFileSync(join(nodes[1].dataDir, "owner-key"), "utf8").trim();
    return { folder, nodes, postgres, redis, etcd, haproxy, key, primary, recovered, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** How many standbys follow a primary. */
async function standbys(primary: Number3): Promise<number> {
  const statement = "select count(*) from pg_stat_replication where state = 'streaming'";
  return Number((await query(primary, "postgres", statement))[0]);
}

export const apiUrl = `http://${proxy}:${web.api}`;
