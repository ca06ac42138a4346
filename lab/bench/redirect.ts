import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare } from "./compare.ts";
import { type BenchDatabase, makeLinks, openDatabase } from "./database.ts";
import { type Server, startPinned } from "./processes.ts";
import { Random } from "../clicks/random.ts";
import { zipf } from "../clicks/visits.ts";
import { p99 } from "./open-loop.ts";
import { connections, type Load, wrk } from "./wrk.ts";

const seconds = 5;
const rounds = 5;
/** A high percentile varies more than a mean. */
const latencyRounds = 9;
const zipfLinks = 100_000;

/**
 * Compares redirects of one link and of Zipf-distributed links, by one process on one core, to constant redirects by bare
 * node:http and bare Hono on the same core. Afterwards every request must have been counted.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const clickFolder = join(folder, "clicks");
  const database = await openDatabase({ clickFolder });
  await makeLinks(database, zipfLinks);
  const product = await startPinned("redirect-process.ts", [database.url, clickFolder, "http://short.test"]);
  const unmeasured = await startPinned("redirect-process.ts", [
    database.url,
    clickFolder,
    "http://short.test",
    "unmeasured",
  ]);
  const bare = await startPinned("bare-process.ts");
  const hono = await startPinned("bare-hono-process.ts");
  const sent: Load[] = [];
  const round = (server: Server, path: string, paths?: string) => async () => {
    const load = await wrk(server.port, path, seconds, paths);
    if (server === product || server === unmeasured) sent.push(load);
    if (server === product) {
      sustained = Math.min(sustained, load.perSecond);
    }
    return load.perSecond;
  };

  let sustained = Infinity;
  const comparison = { unit: "redirects/s", rounds };
  const ours = { name: "Terse, counting", round: round(product, "/a0") };
  console.log(`\nOne link, ${connections} connections, ${seconds} s per round`);
  await compare({
    ...comparison,
    baseline: { name: "bare node:http", round: round(bare, "/a0") },
    product: ours,
  });
  await compare({ ...comparison, baseline: { name: "bare Hono", round: round(hono, "/a0") }, product: ours });
  await compare({
    ...comparison,
    baseline: { name: "Terse without metrics", round: round(unmeasured, "/a0") },
    product: { name: "Terse with metrics", round: ours.round },
  });

  const [rank, random] = [zipf(zipfLinks), Random.new()];
  console.log("\nLatency at half of that load, open loop");
  const rate = Math.floor(sustained / 2);
  await compare({
    unit: "µs at p99",
    rounds: latencyRounds,
    baseline: { name: "bare node:http", round: () => p99(bare.port, rate) },
    product: {
      name: "Terse, counting",
      round: async () => {
        const before = await appendedBy(product);
        const value = await p99(product.port, rate);
        sent.push({ perSecond: rate, requests: (await appendedBy(product)) - before });
        return value;
      },
    },
  });

  const paths = join(folder, "paths.txt");
  writeFileSync(paths, Array.from({ length: 200_000 }, () => `/a${rank.draw(random)}`).join("\n"));
  console.log(`\nZipf over ${zipfLinks.toLocaleString("en")} links`);
  await compare({
    ...comparison,
    baseline: { name: "bare node:http", round: round(bare, "/", paths) },
    product: { name: "Terse, counting", round: round(product, "/", paths) },
  });

  const { rss, routes, bytes } = await product.ask("stats");
  console.log(
    `\n  ${Number(routes)} routes cached, ${Number(bytes)} bytes estimated, ${Math.round(Number(rss) / 2 ** 20)} MiB resident`,
  );
  await Promise.all([product, unmeasured, bare, hono].map((server) => server.stop()));
  await check(database, sent);
  await database.close();
  rmSync(folder, { recursive: true });
}

async function appendedBy(server: Server): Promise<number> {
  const { clicks } = await server.ask("stats");
  return (clicks as { appended: number }).appended;
}

/** Requests that wrk aborted at the end may be counted without a received response: at most one per connection and round. */
async function check({ core, account }: BenchDatabase, sent: readonly Load[]): Promise<void> {
  await core.clicks.drain();
  const { data } = await core
    .caller({ kind: "account", account, credential: "internal" })
    .links.list({ limit: 1 });
  if (data.length === 0) throw new Error("The links are gone");
  const counted = await countAll(core, account);
  const received = sent.reduce((sum, { requests }) => sum + requests, 0);
  const exact = counted >= received && counted <= received + sent.length * connections;
  console.log(`  received ${received}, counted ${counted}: ${exact ? "exact" : "NOT EXACT"}`);
  if (!exact) process.exitCode = 1;
}

async function countAll(core: BenchDatabase["core"], account: BenchDatabase["account"]): Promise<number> {
  const { links } = core.caller({ kind: "account", account, credential: "internal" });
  let sum = 0;
  for (let page = 1; ; page++) {
    const { data } = await links.list({ page, limit: 100 });
    sum += data.reduce((total, link) => total + link.click_count, 0);
    if (data.length < 100) return sum;
  }
}
