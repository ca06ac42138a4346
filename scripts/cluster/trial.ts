import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { node, three, web } from "./addresses.ts";
import { countsOnceQuiet, missing } from "./balance.ts";
import type { Cluster } from "./cluster.ts";
import { Load } from "./load.ts";
import { retriesOf } from "./parts/haproxy.ts";

/** One way to break the cluster. `run` breaks and mends it; afterwards the cluster may take its time to recover. */
export interface Fault {
  /** For `--only` */
  name: string;
  /** In the table */
  what: string;
  /** True where redirects of cached links may fail: nothing but the proxy stands between visitor and node */
  mayFailRedirects?: boolean;
  run(cluster: Cluster): Promise<void>;
}

/** What a fault cost, in requests as clients saw them and in clicks and links as the database has them. */
export interface Row {
  fault: string;
  redirects: number;
  failedRedirects: number;
  creations: number;
  failedCreations: number;
  /** From the first failed request to the last */
  seconds: number;
  /** Clicks that were answered and not counted, and links that were answered as created and are not there */
  lost: number;
  /** Clicks that were counted without an answer, beyond those whose answer was cut off or that the proxy sent again */
  doubled: number;
  /** Whether every bar was reached */
  isGood: boolean;
  complaints: string[];
}

/** Breaks the cluster under load, and compares what was answered with what is counted. */
export async function tryFault(cluster: Cluster, urls: readonly string[], fault: Fault): Promise<Row> {
  await cluster.recovered();
  await warm(urls);
  const before = await countsOnceQuiet(cluster, 0);
  const retriesBefore = await retriesOf(cluster.folder);
  const load = new Load(urls, cluster.key);
  try {
    await sleep(2000);
    await fault.run(cluster);
    await cluster.recovered();
    await sleep(2000);
  } finally {
    await load.stop();
  }
  const after = await countsOnceQuiet(cluster, before.clicks + load.redirects);
  const counted = after.clicks - before.clicks;
  const retries = Math.max(0, (await retriesOf(cluster.folder)) - retriesBefore);
  const uncertain = load.failedRedirects + retries;
  const lost = Math.max(0, load.redirects - counted) + (await missing(cluster, load.created));
  const doubled = Math.max(0, counted - load.redirects - uncertain);
  const agree = after.rollup === after.clicks && after.raw === after.clicks;
  if (!agree) load.complaints.push(`the counts disagree: ${JSON.stringify(after)}`);
  return {
    fault: fault.what,
    redirects: load.redirects,
    failedRedirects: load.failedRedirects,
    creations: load.created.length,
    failedCreations: load.failedCreations,
    seconds: Math.round(load.seconds * 10) / 10,
    lost,
    doubled,
    isGood:
      lost === 0 && doubled === 0 && agree && (fault.mayFailRedirects === true || load.failedRedirects === 0),
    complaints: load.complaints,
  };
}

/** Every node has each link in its cache. */
async function warm(urls: readonly string[]): Promise<void> {
  for (const number of three) {
    for (const url of urls) {
      const { pathname, host } = new URL(url);
      const options = { host: node(number), port: web.short, path: pathname, headers: { Host: host } };
      const [answer] = (await once(get(options), "response")) as [IncomingMessage];
      answer.resume();
    }
  }
}
