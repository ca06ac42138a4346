import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../packages/testkit/src/index.ts";
import { three } from "./addresses.ts";
import type { Cluster } from "./cluster.ts";
import type { Part } from "./part.ts";
import { isReady, root, serviceOf } from "./parts/node.ts";
import { primaryNumber } from "./parts/postgres.ts";
import { libfaketime } from "./programs.ts";
import type { Fault } from "./trial.ts";

const kill = async (part: Part, seconds: number): Promise<void> => {
  await part.kill();
  await sleep(seconds * 1000);
  part.start();
};

const pause = async (part: Part, seconds: number): Promise<void> => {
  await part.pause();
  await sleep(seconds * 1000);
  await part.resume();
};

/** Without their network for 15 s */
const cut = async (wires: readonly { cut(): void; mend(): void }[]): Promise<void> => {
  for (const wire of wires) wire.cut();
  await sleep(15_000);
  for (const wire of wires) wire.mend();
};

async function killPrimary({ postgres, primary }: Cluster): Promise<void> {
  const dead = await primary();
  await postgres[dead].kill();
  await until(async () => ![null, dead].includes(await primaryNumber()), 120_000);
  await sleep(2000);
  postgres[dead].start();
}

/** Restarts the nodes one after the other, with another command if it is given. */
async function restartAll({ nodes }: Cluster, command?: ReturnType<typeof serviceOf>): Promise<void> {
  for (const number of three) {
    await nodes[number].part.stop();
    nodes[number].part.start(command);
    await until(() => isReady(number), 120_000);
  }
}

/** In the order of the table of results */
export const faults: readonly Fault[] = [
  {
    name: "rolling-upgrade",
    what: "every node is upgraded from the previous version, one after the other",
    startsEarlier: true,
    run: (cluster) => restartAll(cluster, serviceOf(root)),
  },
  { name: "kill-node", what: "kill -9 of a node", run: ({ nodes }) => kill(nodes[2].part, 3) },
  {
    name: "lose-node",
    what: "a node is lost with its disk, and starts on an empty one",
    async run({ nodes }) {
      await nodes[2].part.kill();
      nodes[2].removeDisk();
      await sleep(5000);
      nodes[2].part.start();
    },
  },
  {
    name: "kill-primary",
    what: "kill -9 of PostgreSQL's primary and its Patroni",
    run: killPrimary,
  },
  {
    name: "kill-standby",
    what: "kill -9 of a standby",
    async run({ postgres, primary }) {
      const first = await primary();
      await kill(postgres[three.find((number) => number !== first) ?? 1], 10);
    },
  },
  { name: "kill-redis", what: "kill -9 of Redis' primary", run: ({ redis }) => kill(redis[1], 8) },
  {
    name: "kill-nats",
    what: "kill -9 of one of JetStream's three servers",
    run: ({ nats }) => kill(nats[1], 10),
  },
  { name: "kill-etcd", what: "kill -9 of a member of etcd", run: ({ etcd }) => kill(etcd[1], 10) },
  {
    name: "kill-proxy",
    what: "kill -9 of one of the two proxies",
    mayFailRedirects: "requests on their way through it",
    run: ({ proxies }) => kill(proxies[1], 5),
  },
  {
    name: "kill-two",
    what: "kill -9 of a node and PostgreSQL's primary at once",
    async run(cluster) {
      await cluster.nodes[3].part.kill();
      await killPrimary(cluster);
      cluster.nodes[3].part.start();
    },
  },
  {
    name: "cut-postgres",
    what: "a node without its network to PostgreSQL for 15 s",
    run: ({ nodes }) => cut(nodes[1].toPostgres),
  },
  {
    name: "cut-redis",
    what: "a node without its network to Redis for 15 s",
    run: ({ nodes }) => cut([nodes[1].toRedis]),
  },
  {
    name: "cut-nats",
    what: "a node without its network to JetStream for 15 s",
    run: ({ nodes }) => cut(nodes[1].toNats),
  },
  {
    name: "pause-node",
    what: "a node stands still for 30 s (SIGSTOP, SIGCONT)",
    run: ({ nodes }) => pause(nodes[2].part, 30),
  },
  {
    name: "pause-primary",
    what: "PostgreSQL's primary stands still for 30 s, and wakes up beside its successor",
    run: async ({ postgres, primary }) => pause(postgres[await primary()], 30),
  },
  {
    name: "slow-disk",
    what: "each flush of a node's disk and of the primary's takes 0.2 s longer, for 20 s",
    needs: ["strace"],
    async run({ nodes, postgres, primary }) {
      const pids = [...(await nodes[1].part.pids()), ...(await postgres[await primary()].pids())];
      const slow = ["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_exit=200000"];
      const args = ["-f", "-qqq", "-o", "/dev/null", ...slow, ...pids.flatMap((pid) => ["-p", String(pid)])];
      const strace = spawn("strace", args, { stdio: "ignore" });
      const ended = once(strace, "exit");
      await sleep(20_000);
      strace.kill();
      await ended;
    },
  },
  {
    name: "clock",
    what: "a node whose clock is three hours ahead",
    needs: [libfaketime],
    async run({ nodes }) {
      const { part } = nodes[3];
      await part.stop();
      const { env } = part;
      const ahead = { LD_PRELOAD: libfaketime, FAKETIME: "+3h", FAKETIME_DONT_FAKE_MONOTONIC: "1" };
      part.start({ env: { ...env, ...ahead } });
      await sleep(15_000);
      await part.stop();
      part.start({ env });
    },
  },
  {
    name: "rolling-restart",
    what: "every node restarts, one after the other",
    run: (cluster) => restartAll(cluster),
  },
  {
    name: "restore",
    what: "a backup, more visits, then everything is stopped and restored from it",
    mayFailRedirects: "the service is stopped",
    async run({ folder, nodes }, load) {
      // What people create after a backup is lost with a restore, as documented; their clicks are not.
      load.stopAuthors();
      await sleep(1000);
      const file = join(folder, "backup.terse");
      await nodes[1].admin("backup", file);
      await sleep(5000);
      await Promise.all(three.map((number) => nodes[number].part.stop()));
      await nodes[1].admin("restore", "--force", file);
      for (const number of three) nodes[number].part.start();
    },
  },
];
