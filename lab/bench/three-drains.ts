import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Pool } from "pg";
import { cores, idleCpu, postgresCpu } from "./cpu.ts";
import { type CpuLimit, createCpuLimit } from "./cpu-limit.ts";

/** What some drains did together. */
export interface Drained {
  clicks: number;
  /** Clicks a second */
  rate: number;
  /** Microseconds of CPU a click, of the drains and of PostgreSQL */
  drains: number;
  database: number;
  /** The share of all cores that was in use, by whatever runs on this machine */
  busy: number;
}

interface Counted {
  clicks: number;
  /** Seconds */
  cpu: number;
}

const start = (databaseUrl: string, folder: string) =>
  fork(join(import.meta.dirname, "drain-process.ts"), [databaseUrl, folder]);

const answerOf = async (child: ChildProcess): Promise<unknown> => (await once(child, "message"))[0];

const sumOf = (counts: readonly Counted[], name: keyof Counted) =>
  counts.reduce((sum, count) => sum + count[name], 0);

export interface Together {
  pool: Pool;
  databaseUrl: string;
  /** One for each drain */
  folders: readonly string[];
  /** Logs the clicks of a folder. */
  write: (folder: string) => Promise<void>;
  /** How many processors each drain may use, such as 0.25; without it, as many as there are */
  share: number | undefined;
}

/**
 * Counts clicks in these folders, each by a process like another node's: first with processes that have just started, then with the same
 * ones, which have compiled their code by then.
 */
export async function drainTogether(options: Together): Promise<{ cold: Drained; warm: Drained }> {
  const { pool, databaseUrl, folders, write, share } = options;
  const drains = folders.map((folder) => start(databaseUrl, folder));
  await Promise.all(drains.map(answerOf));
  const limits = share === undefined ? [] : drains.map(({ pid = 0 }) => limitCpu(pid, share));
  const count = async () => {
    for (const folder of folders) await write(folder);
    return countAll(pool, drains);
  };
  const counted = { cold: await count(), warm: await count() };
  const exits = drains.map((drain) => once(drain, "exit"));
  for (const drain of drains) drain.send("end");
  await Promise.all(exits);
  for (const limit of limits) limit.remove();
  return counted;
}

function limitCpu(pid: number, processors: number): CpuLimit {
  const limit = createCpuLimit(String(pid), processors);
  limit.add(pid);
  return limit;
}

async function countAll(pool: Pool, drains: readonly ChildProcess[]): Promise<Drained> {
  const before = { database: await postgresCpu(pool), idle: idleCpu(), at: performance.now() };
  for (const drain of drains) drain.send("begin");
  const counts = (await Promise.all(drains.map(answerOf))) as Counted[];
  const seconds = (performance.now() - before.at) / 1000;
  const idle = idleCpu() - before.idle;
  const database = (await postgresCpu(pool)) - before.database;
  const clicks = sumOf(counts, "clicks");
  return {
    clicks,
    rate: clicks / seconds,
    drains: (sumOf(counts, "cpu") / clicks) * 1e6,
    database: (database / clicks) * 1e6,
    busy: 1 - idle / (seconds * cores),
  };
}
