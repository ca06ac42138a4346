import { setTimeout as sleep } from "node:timers/promises";
import { two } from "./addresses.ts";
import { countsOnceQuiet, missing } from "./balance.ts";
import type { Cluster } from "./cluster.ts";
import type { Links } from "./links.ts";
import { Load, type Tally } from "./load.ts";
import { retriesOf } from "./parts/haproxy.ts";

/** Links that are followed once each, enough for the longest fault */
const freshLinks = 4000;

/** One way to break the cluster. `run` breaks and mends it; afterwards the cluster may take its time to recover. */
export interface Fault {
  /** For `--only` */
  name: string;
  /** In the table */
  what: string;
  /** Programs that it needs besides those of the cluster; a library by its path */
  needs?: readonly string[];
  /** The cluster starts with the nodes of the previous version, which it upgrades; nothing may run before it. */
  startsEarlier?: true;
  /** Why redirects may fail, where they must */
  mayFailRedirects?: string;
  run(cluster: Cluster, load: Load): Promise<void>;
}

/** What a fault cost, in requests as clients saw them and in clicks and links as the database has them. */
export interface Row {
  fault: string;
  cached: Tally;
  uncached: Tally;
  creations: Tally;
  /** From the first failed request to the last */
  seconds: number;
  /** Clicks that were answered and not counted */
  lostClicks: number;
  /** Links that were answered as created and are not there */
  lostLinks: number;
  /** Clicks that were counted without an answer, beyond those whose answer was cut off or whose request was sent again */
  doubled: number;
  /** Whether every bar was reached */
  isGood: boolean;
  complaints: string[];
}

/** Breaks the cluster under load, and compares what was answered with what is counted. */
export async function tryFault(cluster: Cluster, links: Links, fault: Fault): Promise<Row> {
  await cluster.whole();
  await links.prepare(freshLinks);
  const before = await countsOnceQuiet(cluster, 0);
  const retriesBefore = await retries(cluster);
  const load = new Load(links, cluster.key);
  try {
    await sleep(2000);
    await fault.run(cluster, load);
    await cluster.recovered();
    await sleep(2000);
  } finally {
    await load.stop();
  }
  const { cached, uncached, creations, complaints } = load;
  const answered = cached.answered + uncached.answered;
  const after = await countsOnceQuiet(cluster, before.clicks + answered);
  const counted = after.clicks - before.clicks;
  const again = (await retries(cluster)).map((count, at) => Math.max(0, count - (retriesBefore[at] ?? 0)));
  const uncertain = load.uncertain + again.reduce((sum, count) => sum + count, 0);
  const lost = await missing(cluster, load.created);
  const row = {
    fault: fault.what,
    cached,
    uncached,
    creations,
    seconds: Math.round(load.seconds * 10) / 10,
    lostClicks: Math.max(0, answered - counted),
    lostLinks: lost.length,
    doubled: Math.max(0, counted - answered - uncertain),
  };
  const agree = after.rollup === after.clicks && after.raw === after.clicks;
  if (!agree) complaints.push(`the counts disagree: ${JSON.stringify(after)}`);
  const isExact = row.lostClicks + row.lostLinks + row.doubled === 0 && agree;
  const isServed = fault.mayFailRedirects !== undefined || cached.failed + uncached.failed === 0;
  return { ...row, isGood: isExact && isServed, complaints };
}

const retries = ({ folder }: Cluster) => Promise.all(two.map((number) => retriesOf(folder, number)));
