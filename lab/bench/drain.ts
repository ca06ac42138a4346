import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCore } from "@terse/core";
import { createTestDatabase, startPostgres } from "@terse/postgres";
import { databaseOf, openAnalyticsDatabase } from "./analytics-database.ts";
import { compare } from "./compare.ts";
import { createTraffic } from "../clicks/visits.ts";

const fewer = 1e6;
const clicksOfRound = 100_000;
const shortBase = "http://short.test";

/** A database that clicks are drained into. */
interface Target {
  name: string;
  /** Appends clicks to a log, drains them, and returns how many were drained a second. */
  round(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Drains equal clicks into a database with a hundred million of them (or `--clicks`) and into one with a million: copies of those
 * that the benchmark of analytics makes and keeps.
 */
export async function run(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { clicks: { type: "string", default: "1e8" } },
  });
  const baseline = await openTarget(fewer);
  const product = await openTarget(Number(values.clicks));
  console.log(`Draining ${clicksOfRound.toLocaleString("en")} clicks on 10,000 links per round`);
  try {
    await compare({ unit: "clicks/s", rounds: 7, baseline, product });
  } finally {
    await baseline.close();
    await product.close();
  }
}

async function openTarget(clicks: number): Promise<Target> {
  const year = { clicks, days: 365 };
  const { links, close } = await openAnalyticsDatabase(year);
  await close();
  const postgres = await startPostgres({ dataDir: join(import.meta.dirname, "../../.data/bench") });
  const database = await createTestDatabase(postgres.adminUrl, databaseOf(year));
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const open = (writes: boolean) =>
    createCore({ databaseUrl: database.url, shortBase, clickLog: { folder, writes } });
  const core = await open(false);
  const visit = createTraffic(links);
  return {
    name: `into ${clicks.toLocaleString("en")}`,
    async round() {
      const writer = await open(true);
      for (let written = 0; written < clicksOfRound; written += 100)
        await Promise.all(Array.from({ length: 100 }, () => writer.clicks.record(visit(Date.now()))));
      await writer.close();
      const started = performance.now();
      const drained = await core.clicks.drain();
      if (drained !== clicksOfRound) throw new Error(`${drained} of ${clicksOfRound} clicks were drained`);
      return drained / ((performance.now() - started) / 1000);
    },
    async close() {
      await core.close();
      rmSync(folder, { recursive: true });
      await database.drop();
      await postgres.stop();
    },
  };
}
