import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../packages/testkit/src/index.ts";
import { makeCertificate } from "../../packages/testkit/src/certificate.ts";
import { type Number2, type Number3, three } from "./addresses.ts";
import type { Part } from "./part.ts";
import { etcdPart } from "./parts/etcd.ts";
import { proxyPart, redisProxyPart } from "./parts/haproxy.ts";
import { natsPart } from "./parts/nats.ts";
import { isReady, root, type TerseNode, terseNode } from "./parts/node.ts";
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
  nats: Record<Number3, Part>;
  proxies: Record<Number2, Part>;
  /** The owner's key */
  key: string;
  /** The PostgreSQL that is the primary now, or becomes it */
  primary(): Promise<Number3>;
  /** Waits until every node is ready and one PostgreSQL is the primary. */
  recovered(): Promise<void>;
  /** Waits until both standbys follow the primary again, too, one of them synchronously. */
  whole(): Promise<void>;
  /** Ends everything, and removes its folder unless it is kept for its logs. */
  close(keep?: boolean): Promise<void>;
}

const each = <Value>(make: (number: Number3) => Value): Record<Number3, Value> => ({
  1: make(1),
  2: make(2),
  3: make(3),
});

/** Starts everything, the nodes from a checkout of the service; `say` is called before each step. */
export async function startCluster(say: (step: string) => void, checkout = root): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "terse-cluster-"));
  chmodSync(folder, 0o755);
  const etcd = each((number) => etcdPart(folder, number));
  const postgres = each((number) => postgresPart(folder, number));
  const redis = each((number) => redisPart(folder, number));
  const sentinels = each((number) => sentinelPart(folder, number));
  const nats = each((number) => natsPart(folder, number));
  const certificates = await certificatesIn(folder);
  const proxies = { 1: proxyPart(folder, 1, certificates), 2: proxyPart(folder, 2, certificates) };
  const redisProxy = redisProxyPart(folder);
  const nodes = {
    1: await terseNode(folder, 1, checkout),
    2: await terseNode(folder, 2, checkout),
    3: await terseNode(folder, 3, checkout),
  };
  const parts = [etcd, postgres, redis, sentinels, nats, proxies].flatMap((group) => Object.values(group));

  const primary = async (): Promise<Number3> => {
    let found: Number3 | null = null;
    await until(async () => (found = await primaryNumber()) !== null, patienceMs);
    return found ?? 1;
  };
  const close = async (keep = false) => {
    for (const number of three) await nodes[number].part.kill();
    for (const part of [...parts, redisProxy]) await part.kill();
    for (const { toPostgres, toRedis, toNats } of Object.values(nodes))
      for (const wire of [...toPostgres, toRedis, ...toNats]) wire.close();
    if (!keep) rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void close().then(() => process.exit(130)));
  const recovered = async () => {
    await primary();
    await until(async () => (await Promise.all(three.map(isReady))).every(Boolean), patienceMs);
  };
  const whole = async () => {
    await recovered();
    await until(async () => followsWholly(await primary()), patienceMs);
  };

  try {
    say("etcd, Redis and its sentinels, NATS, the proxies");
    for (const part of [...parts, redisProxy]) if (!Object.values(postgres).includes(part)) part.start();
    say("the first PostgreSQL, then its standbys");
    for (const number of three) postgres[number].start();
    const first = await primary();
    await query(first, "postgres", "create role terse login password 'terse'");
    await query(first, "postgres", "create database terse owner terse");
    await until(() => followsWholly(first), patienceMs);
    say("the nodes");
    nodes[1].part.start();
    await until(() => isReady(1), patienceMs);
    nodes[2].part.start();
    nodes[3].part.start();
    await recovered();
    // A node is ready before it has an owner, whose file is there before the key is in it.
    const keyFile = join(nodes[1].dataDir, "owner-key");
    let key = "";
    await until(() => {
      if (existsSync(keyFile)) key = readFileSync(keyFile, "utf8").trim();
      return key !== "";
    }, patienceMs);
    return { folder, nodes, postgres, redis, etcd, nats, proxies, key, primary, recovered, whole, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A file with a certificate and its key, as HAProxy reads them. */
async function certificatesIn(folder: string): Promise<string> {
  const { cert, key } = await makeCertificate(folder);
  const file = join(folder, "certificate.pem");
  writeFileSync(file, [cert, key].map((path) => readFileSync(path, "utf8")).join("\n"), { mode: 0o600 });
  return file;
}

/** Whether both standbys follow a primary, which waits for one of them. */
async function followsWholly(primary: Number3): Promise<boolean> {
  const statement = `select count(*) = 2 and bool_or(sync_state in ('sync', 'quorum'))
    from pg_stat_replication where state = 'streaming'`;
  const [answer] = await query(primary, "postgres", statement).catch(() => []);
  return answer === "t";
}
