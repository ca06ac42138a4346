import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Actor, type Core, createCore } from "@terse/core";
import { startPostgres } from "@terse/postgres";
import type { Pool } from "pg";
import { packableBefore } from "../../packages/core/src/clicks/blocks/pack-clicks.ts";
import { createHourSums } from "../../packages/core/src/clicks/drain/rollups/hour-sums.ts";
import { createMerging } from "../../packages/core/src/clicks/drain/rollups/account-sums.ts";
import { linkIds, makeLinks, openPool } from "./database.ts";
import { finishLinks, YearLoader } from "./load-year.ts";
import { Random } from "../clicks/random.ts";
import { clickOf, dayMs, type Visit, visitSource } from "../clicks/visits.ts";

export interface AnalyticsDatabase {
  core: Core;
  actor: Actor;
  pool: Pool;
  /** When its clicks end; the core's clock stands there */
  end: Date;
  /** Ids of its links, most clicks first */
  links: readonly string[];
  close(): Promise<void>;
}

const links = 10_000;
const shortBase = "http://short.test";

/** Days whose clicks are rows yet: the drain packs a day two days after its end */
const unsettledDays = 2;

/** An account with clicks of some whole UTC days, and of half a day. */
export interface YearOf {
  clicks: number;
  days: number;
}

/** The name of the database with these clicks. */
export const databaseOf = ({ clicks, days }: YearOf): string => `terse_analytics_${clicks}_in_${days}`;

/**
 * Opens a database with that many clicks on one account. It is made once and kept: days whose clicks the drain would have packed
 * are loaded, each in a transaction, so that an interrupted run goes on where it stopped; the drain counts the last ones.
 * `clickHouse` is the URL of a server that gets a copy, in a database of its own.
 */
export async function openAnalyticsDatabase(year: YearOf, clickHouse?: string): Promise<AnalyticsDatabase> {
  const database = databaseOf(year);
  const postgres = await startPostgres({ dataDir: join(import.meta.dirname, "../../.data/bench"), database });
  const pool = openPool(postgres.url, 2);
  const end = (await endOf(pool)) ?? (await makeYear(postgres.url, pool, year));
  const core = await createCore({
    databaseUrl: postgres.url,
    shortBase,
    clock: () => end,
    ...(clickHouse !== undefined && { clickHouse: { url: `${clickHouse}/${database}` } }),
  });
  await core.migrate();
  await maintainSums(pool, end);
  await core.clickhouse?.catchUp();
  const account = await core.accounts.byEmail(email);
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

/** Merges accounts' sums, as the drain does once a day, and makes those of hours, as it does each hour. */
async function maintainSums(pool: Pool, end: Date): Promise<void> {
  const merge = createMerging(pool, packableBefore(end.getTime()));
  while (await merge());
  const sumHours = createHourSums(pool, end.getTime());
  while (await sumHours());
}

const email = "bench@example.com";

/** Returns when the clicks end, or null if not all of them are there. */
async function endOf(pool: Pool): Promise<Date | null> {
  await pool.query(`create table if not exists bench_year (
    ended timestamptz not null, days integer not null default 0, is_complete boolean not null default false,
    click_counts bytea, last_clicks bytea
  )`);
  const { rows } = await pool.query<{ ended: Date }>("select ended from bench_year where is_complete");
  return rows[0]?.ended ?? null;
}

/** The visits of a day, the same in every run. Of half a day, those before noon. */
export function visitsOf(start: number, count: number, isHalf: boolean): Visit[] {
  const visit = visitSource(links, new Random(start / dayMs));
  return Array.from({ length: count }, () => {
    let one = visit();
    while (isHalf && one.inDay >= dayMs / 2) one = visit();
    return one;
  });
}

async function makeYear(url: string, pool: Pool, { clicks, days }: YearOf): Promise<Date> {
  const noon = Math.floor(Date.now() / dayMs) * dayMs - dayMs / 2;
  await pool.query("insert into bench_year (ended) select $1 where not exists (select from bench_year)", [
    new Date(noon),
  ]);
  const { rows } = await pool.query<Progress>(
    "select ended, days, click_counts as counts, last_clicks as last from bench_year",
  );
  const [progress] = rows as [Progress];
  const end = progress.ended;
  const settled = days - unsettledDays;
  if (progress.days > settled) {
    // What was counted of the last days cannot be told.
    await pool.query("drop schema public cascade; create schema public");
    await endOf(pool);
    return makeYear(url, pool, { clicks, days });
  }
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const core = await createCore({
    databaseUrl: url,
    shortBase,
    clock: () => end,
    clickLog: { folder, fsync: "off" },
  });
  await core.migrate();
  const account = await core.accounts
    .byEmail(email)
    .catch(() => core.accounts.create({ email, plan: "enterprise" }));
  const ids = (await linkIds({ core, account })).toSorted();
  if (ids.length < links) {
    await makeLinks({ core, account }, links - ids.length);
    ids.splice(0, ids.length, ...(await linkIds({ core, account })).toSorted());
  }
  const { rows: users } = await pool.query<{ number: number }>("select number from users where id = $1", [
    account.id,
  ]);
  const loader = new YearLoader(pool, { id: account.id, number: Number(users[0]?.number) }, ids);
  if (progress.counts) loader.clickCounts.set(numbersIn(progress.counts));
  if (progress.last) loader.lastClicks.set(numbersIn(progress.last));

  const today = Math.floor(end.getTime() / dayMs) * dayMs;
  const first = today - days * dayMs;
  /** Clicks before a day; half a day has half of them */
  const before = (day: number) => Math.round((clicks * day) / (days + 0.5));
  const started = performance.now();
  const database = await pool.connect();
  for (let day = progress.days; day < settled; ) {
    await database.query("begin; set local synchronous_commit = off");
    // Quiet days share a transaction.
    for (
      const from = day;
      day < settled && (day === from || before(day + 1) - before(from) < 100_000);
      day++
    ) {
      const start = first + day * dayMs;
      await loader.addDay(database, start, visitsOf(start, before(day + 1) - before(day), false));
    }
    if (day === settled) await finishLinks(database, ids, loader);
    await database.query("update bench_year set days = $3, click_counts = $1, last_clicks = $2", [
      Buffer.from(loader.clickCounts.buffer),
      Buffer.from(loader.lastClicks.buffer),
      day,
    ]);
    await database.query("commit");
    const rate = (before(day) - before(progress.days)) / ((performance.now() - started) / 1000);
    process.stderr.write(
      `\r  loaded ${before(day).toLocaleString("en")} clicks, ${Math.round(rate).toLocaleString("en")}/s   `,
    );
  }
  database.release();
  process.stderr.write("\n");
  await pool.query("update bench_year set days = days + 1");
  for (let day = settled; day <= days; day++) {
    const isHalf = day === days;
    const visits = visitsOf(first + day * dayMs, (isHalf ? clicks : before(day + 1)) - before(day), isHalf);
    for (let at = 0; at < visits.length; at += 1000)
      await Promise.all(
        visits
          .slice(at, at + 1000)
          .map((visit) => core.clicks.record(clickOf(visit, ids, first + day * dayMs))),
      );
    await core.clicks.drain();
    // The drain deletes a day's visitors later, too.
    await pool.query("truncate click_visitors, click_salts");
  }
  await core.close();
  rmSync(folder, { recursive: true });
  await pool.query("update bench_year set is_complete = true");
  await pool.query("vacuum analyze");
  return end;
}

interface Progress {
  ended: Date;
  /** Days that are loaded */
  days: number;
  counts: Buffer | null;
  last: Buffer | null;
}

const numbersIn = (bytes: Buffer) => new Float64Array(new Uint8Array(bytes).buffer);
