import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { apiUrl, startCluster } from "./cluster/cluster.ts";
import { faults } from "./cluster/faults/index.ts";
import { markdown } from "./cluster/table.ts";
import { type Row, tryFault } from "./cluster/trial.ts";

const usage = `Usage: npm run cluster -- [--only FAULT,…] [--json]

Starts three nodes, three PostgreSQLs under Patroni with etcd, three Redis with sentinels and a proxy on this machine, each
at an address of its own (127.0.x.y), breaks them under load, and compares what was answered with what is counted.
Needs Linux and Debian's postgresql-15, patroni, etcd-server, redis-server, haproxy and libfaketime.

Options:
  --only FAULT,…  only these: ${faults.map(({ name }) => name).join(", ")}
  --json          prints JSON instead of a Markdown table
  -h, --help      show this help

Exit code 0: every bar was reached: nothing lost, nothing doubled, no redirect failed but for the proxy. Exit code 1: one was
not. Exit code 2: unknown option, or a program is missing.`;

const values = readOptions();
if (values.help) {
  console.log(usage);
  process.exit(0);
}
const only = values.only?.split(",");
const unknown = only?.find((name) => !faults.some((fault) => fault.name === name));
if (unknown !== undefined) refuse(`There is no fault ${unknown}`);
const chosen = faults.filter(({ name }) => only?.includes(name) ?? true);
for (const program of ["patroni", "etcd", "redis-server", "haproxy", "psql"])
  if (spawnSync("which", [program]).status !== 0) refuse(`${program} is missing`);

function refuse(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}

function readOptions(): { only?: string; json?: boolean; help?: boolean } {
  const options = {
    only: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

const started = performance.now();
const say = (step: string) =>
  console.error(`${String(Math.round((performance.now() - started) / 1000)).padStart(5)} s  ${step}`);

async function shorten(key: string): Promise<string> {
  const response = await fetch(`${apiUrl}/v1/links`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ url: "https://example.com/" }),
  });
  const { data } = (await response.json()) as { data: { shortUrl: string } };
  return data.shortUrl;
}

const rows: Row[] = [];
const cluster = await startCluster(say);
try {
  const urls: string[] = [];
  for (let at = 0; at < 20; at++) urls.push(await shorten(cluster.key));
  for (const fault of chosen) {
    say(fault.what);
    const row = await tryFault(cluster, urls, fault);
    rows.push(row);
    const { failedRedirects, failedCreations, seconds, lost, doubled } = row;
    say(
      `  ${row.isGood ? "good" : "BAD"}: ${failedRedirects} redirects and ${failedCreations} creations failed in ${seconds} s, ${lost} lost, ${doubled} doubled`,
    );
    for (const complaint of row.complaints) say(`  ${complaint}`);
  }
} finally {
  const isGood = rows.length === chosen.length && rows.every((row) => row.isGood);
  if (!isGood) say(`the logs are in ${cluster.folder}`);
  await cluster.close(!isGood);
}
console.log(values.json ? JSON.stringify(rows, null, 2) : markdown(rows));
process.exitCode = rows.every(({ isGood }) => isGood) ? 0 : 1;
