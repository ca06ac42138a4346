import { parseArgs } from "node:util";
import { startCluster } from "./cluster.ts";
import { checkOutEarlier } from "./earlier.ts";
import { faults } from "./faults.ts";
import { Links } from "./links.ts";
import { missingOf, missingPrograms } from "./programs.ts";
import { lostIn, markdown } from "./table.ts";
import { type Row, tryFault } from "./trial.ts";

const usage = `Usage: npm --prefix lab run cluster -- [--only FAULT,…] [--from COMMIT] [--json]

Starts three nodes, three PostgreSQL servers under Patroni with etcd, three Redis with sentinels, three NATS servers and two
proxies on this machine, each at an address of its own (127.0.x.y), breaks them under load, and compares what was answered
with what is counted. Needs Linux and the Debian packages that CONTRIBUTING.md lists.

Options:
  --only FAULT,…  only these: ${faults.map(({ name }) => name).join(", ")}
  --from COMMIT   rolling-upgrade starts with this version; default: the last tag, else the last one with another schema
  --json          prints JSON instead of a Markdown table
  -h, --help      show this help

Exit code 0: every bar was reached: nothing lost, nothing doubled, and no redirect failed where none may. Exit code 1: one was
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
const missing = [...missingPrograms(), ...missingOf(chosen.flatMap(({ needs = [] }) => needs))];
if (missing.length > 0) refuse(`This machine lacks ${missing.join(", ")}`);

function refuse(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}

function readOptions(): { only?: string; from?: string; json?: boolean; help?: boolean } {
  const options = {
    only: { type: "string" },
    from: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function earlierVersion() {
  try {
    return checkOutEarlier(values.from);
  } catch (error) {
    return refuse(`The previous version cannot be checked out: ${(error as Error).message}`);
  }
}

const started = performance.now();
const say = (step: string) =>
  console.error(`${String(Math.round((performance.now() - started) / 1000)).padStart(5)} s  ${step}`);

const earlier = chosen.some((fault) => fault.startsEarlier) ? earlierVersion() : null;
if (earlier) say(`the nodes start as ${earlier.description}`);
const rows: Row[] = [];
const cluster = await startCluster(say, earlier?.folder);
try {
  const links = new Links(cluster.key);
  for (const fault of chosen) {
    say(fault.what);
    const row = await tryFault(cluster, links, fault);
    rows.push(row);
    const { cached, uncached, creations, seconds, doubled } = row;
    say(
      `  ${row.isGood ? "good" : "BAD"}: ${cached.failed} cached and ${uncached.failed} uncached redirects and ${creations.failed} creations failed in ${seconds} s; lost: ${lostIn(row)}; doubled: ${doubled}`,
    );
    for (const complaint of row.complaints) say(`  ${complaint}`);
  }
} finally {
  const isGood = rows.length === chosen.length && rows.every((row) => row.isGood);
  if (!isGood) say(`the logs are in ${cluster.folder}`);
  await cluster.close(!isGood);
  earlier?.remove();
}
console.log(values.json ? JSON.stringify(rows, null, 2) : markdown(rows));
process.exitCode = rows.every(({ isGood }) => isGood) ? 0 : 1;
