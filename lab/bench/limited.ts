import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare } from "./compare.ts";
import { openDatabase, openPool } from "./database.ts";
import { startPinned } from "./processes.ts";
import { connections, wrk } from "./wrk.ts";

const seconds = 5;
const rounds = 5;
const millisecond = 1000;

/**
 * Compares redirects of a link with a click limit to those of a link that needs a decision but no database, which is what
 * clicks taken in advance would cost at best, and to one conditional update a visit. Every visit must have been counted.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const clickFolder = join(folder, "clicks");
  const database = await openDatabase({ clickFolder });
  const actor = { kind: "account", account: database.account, credential: "internal" } as const;
  const { links } = database.core.caller(actor);
  const url = "https://example.com/";
  const geo_rules = [{ country: "DE", url }];
  const { slug: decided } = await links.create({ url, geo_rules });
  const { id, slug: limited } = await links.create({ url, geo_rules, click_limit: 1_000_000_000 });
  const product = await startPinned("redirect-process.ts", [database.url, clickFolder, "http://short.test"]);

  let sent = 0;
  let loads = 0;
  const ours = {
    name: "with a click limit",
    async round() {
      const load = await wrk(product.port, `/${limited}`, seconds);
      sent += load.requests;
      loads += 1;
      return load.perSecond;
    },
  };
  console.log(`\nOne link, ${connections} connections, ${seconds} s per round`);
  await compare({
    unit: "redirects/s",
    rounds,
    baseline: {
      name: "with a rule",
      round: async () => (await wrk(product.port, `/${decided}`, seconds)).perSecond,
    },
    product: ours,
  });

  const pool = openPool(database.url, 10);
  await pool.query("create table bench_limit as select 0 as taken");
  await compare({
    unit: "visits/s",
    rounds,
    baseline: { name: "one update a visit", round: () => updates(pool) },
    product: ours,
  });
  await pool.end();
  await product.stop();
  while ((await database.core.clicks.drain()) > 0);
  const { click_count } = await links.get({ id });
  console.log(`\n${sent} visits, ${click_count} clicks counted`);
  // The load tool leaves when the time is up, and does not see the last answer of each connection.
  if (click_count < sent || click_count > sent + loads * connections) process.exitCode = 1;
  await database.close();
  rmSync(folder, { recursive: true });
}

/** Conditional updates of one row a second, by as many visitors at once as the load has connections. */
async function updates(pool: ReturnType<typeof openPool>): Promise<number> {
  const end = performance.now() + seconds * millisecond;
  let count = 0;
  const visitor = async () => {
    for (; performance.now() < end; count++)
      await pool.query({
        name: "take",
        text: "update bench_limit set taken = taken + 1 where taken < 1000000000",
      });
  };
  await Promise.all(Array.from({ length: connections }, visitor));
  return count / seconds;
}
