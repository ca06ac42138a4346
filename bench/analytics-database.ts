import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Actor, type Core, createCore } from "@terse/core";
import { startPostgres } from "@terse/postgres";
import type { Pool } from "pg";
import { linkIds, makeLinks, openPool } from "./database.ts";
import { createVisits } from "./year.ts";

export interface AnalyticsDatabase {
  core: Core;
  actor: Actor;
  pool: Pool;
  /** When its year of clicks ends; the core's clock stands there */
  end: Date;
  /** Ids of its links, most clicks first */
  links: readonly string[];
  close(): Promise<void>;
}

const links = 10_000;
const wholeYear = 365;
const dayMs = 86_400_000;
const shortBase = "http://short.test";

/**
 * Opens a database with a year of that many clicks on one account, or with its last days only. It is generated once, through the
 * drain, and kept. Clicks of settled days are in blocks if `packed` is true.
 */
export async function openAnalyticsDatabase(
  clicks: number,
  { days = wholeYear, packed = false }: { days?: number; packed?: boolean } = {},
): Promise<AnalyticsDatabase> {
  const postgres = await startPostgres({
    dataDir: join(import.meta.dirname, "../.data/bench"),
    database: `terse_analytics_${clicks}${days === wholeYear ? "" : `_${days}`}${packed ? "_packed" : ""}`,
  });
  const pool = openPool(postgres.url, 2);
  const end = (await endOf(pool)) ?? (await generate(postgres.url, pool, { clicks, days, packed }));
  const core = await createCore({ databaseUrl: postgres.url, shortBase, clock: () => end });
  await core.migrate();
  const account = await core.accounts.byEmail("bench@example.com");
  const { rows } = await pool.query<{ id: string }>("select id from links order by click_count desc");
  return {
    core,
    actor: { kind: "account", account, credential: "internal" },
    pool,
    end,
    links: rows.map(({ id }) => id),
    async close() {
      await core.close();
      await pool.end();
      await postgres.stop();
    },
  };
}

/** Returns when the year of clicks ended, or null if none was generated completely. */
async function endOf(pool: Pool): Promise<Date | null> {
  await pool.query("create table if not exists bench_year (ended timestamptz not null)");
  const { rows } = await pool.query<{ ended: Date }>("select ended from bench_year");
  return rows[0]?.ended ?? null;
}

async function generate(
  url: string,
  pool: Pool,
  { clicks, days, packed }: { clicks: number; days: number; packed: boolean },
): Promise<Date> {
  // Noon, so that the last days, whose clicks are not settled, are as long in each run.
  const end = new Date(Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2);
  // Deletes what an interrupted run has left.
  await pool.query("drop schema public cascade; create schema public");
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const core = await createCore({
    databaseUrl: url,
    shortBase,
    clock: () => end,
    clickLog: { folder, fsync: "off" },
  });
  await core.migrate();
  const account = await core.accounts.create({ email: "bench@example.com", plan: "enterprise" });
  await makeLinks({ core, account }, links);
  const visit = createVisits(await linkIds({ core, account }));

  const started = performance.now();
  let made = 0;
  for (let day = 1; day <= days; day++) {
    const before = made;
    const start = end.getTime() - (days - day + 1) * dayMs;
    while (made < (clicks * day) / days) {
      const batch = Math.min(1000, Math.ceil((clicks * day) / days) - made);
      await Promise.all(Array.from({ length: batch }, () => core.clicks.record(visit(start))));
      made += batch;
    }
    // Drains quiet days together, so that batches are large enough.
    if (day % Math.ceil(20_000 / (made - before)) > 0 && day < days) continue;
    await core.clicks.drain();
    // The drain deletes a day's visitors later, too.
    await pool.query("truncate click_visitors, click_salts");
    const rate = Math.round(made / ((performance.now() - started) / 1000));
    process.stderr.write(
      `\r  generated ${made.toLocaleString("en")} clicks, ${rate.toLocaleString("en")}/s   `,
    );
  }
  process.stderr.write("\n");
  if (packed) await packAll(core, pool, end);
  await core.close();
  rmSync(folder, { recursive: true });
  await pool.query("vacuum analyze");
  await pool.query("create table bench_year (ended timestamptz not null)");
  await pool.query("insert into bench_year values ($1)", [end]);
  return end;
}

/** Waits until the drain has packed the clicks of settled days. It goes on draining until the core is closed. */
export async function packAll(core: Core, pool: Pool, end: Date): Promise<void> {
  // It would wait until no node of the version before can be left.
  await pool.query("update migrations set executed_at = executed_at - interval '2 days'");
  const settled = BigInt(Math.floor(end.getTime() / dayMs) - 2) * BigInt(dayMs);
  const started = performance.now();
  core.clicks.startDrain();
  for (;;) {
    const { rows } = await pool.query<{ left: boolean; packed: string }>(
      `select exists (select from clicks where id < $1) as left, (select coalesce(sum(clicks), 0) from click_blocks) as packed`,
      [String(settled << 20n)],
    );
    const [state] = rows;
    const rate = Math.round(Number(state?.packed) / ((performance.now() - started) / 1000));
    process.stderr.write(
      `\r  packed ${Number(state?.packed).toLocaleString("en")} clicks, ${rate.toLocaleString("en")}/s   `,
    );
    if (state?.left === false) break;
    await sleep(1000);
  }
  // The partitions of past months are emptied after their last clicks; that of this month, which has had room for all of its
  // clicks here, is as small as if each day had been packed in its turn.
  await sleep(5000);
  const month = end.toISOString().slice(0, 7).replace("-", "_");
  await pool.query(`vacuum full clicks_${month}`);
  process.stderr.write("\n");
}
