import { createTestCore } from "@terse/core/testing";
import { tempFolder } from "../../packages/testkit/src/index.ts";
import { expect, it, onTestFinished } from "vitest";
import { linkIds, makeLinks, openPool } from "../bench/database.ts";
import { finishLinks, YearLoader } from "../bench/load-year.ts";
import { Random } from "../clicks/random.ts";
import { clickOf, dayMs, type Visit, visitSource } from "../clicks/visits.ts";
import { packClicks } from "../../packages/core/test/clicks/blocks/helpers.ts";

const end = Date.parse("2026-03-04");
const days = [4, 3, 2, 1].map((before) => end - before * dayMs);

/** A core with an account that has links, whose ids are sorted by the numbers of their slugs. */
async function open(): Promise<{
  pool: ReturnType<typeof openPool>;
  owner: { id: string; number: number };
  ids: string[];
  core: Awaited<ReturnType<typeof createTestCore>>["core"];
  texts(): Promise<unknown[]>;
}> {
  const folder = await tempFolder();
  const test = await createTestCore({ clock: () => new Date(end), clickLog: { folder } });
  const { core } = test;
  const pool = openPool(test.databaseUrl, 2);
  onTestFinished(async () => {
    await pool.end();
    await test.close();
  });
  const { account } = await test.actor("enterprise");
  await makeLinks({ core, account }, 60);
  const { rows } = await pool.query<{ id: string; slug: string; number: number }>(
    "select l.id, slug, number from links l join users u on u.id = account_id order by slug",
  );
  expect(await linkIds({ core, account })).toHaveLength(60);
  const slugOf = new Map(rows.map(({ id, slug }) => [id, slug]));
  const number = Number(rows[0]?.number);
  const named = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, (id) => slugOf.get(id) ?? "the account");
  /** Everything that the database has about clicks, without ids that differ from database to database */
  async function texts(): Promise<unknown[]> {
    const caller = core.caller({ kind: "account", account, credential: "internal" });
    const contents: unknown[] = [];
    for (const query of [
      "select link_id, day, clicks, visitors, bots from link_days",
      "select link_id, start, clicks, visitors, bots from link_quarter_hours",
      "select link_id, dimension, value, day, clicks from link_day_values",
      "select account_id, dimension, value, day, sum(clicks) from account_day_values group by 1, 2, 3, 4",
      "select account_id, dimension, value, month, sum(clicks) from account_month_values group by 1, 2, 3, 4",
      "select account_id, day, clicks, visitors, bots from account_days",
      "select account_id, start, clicks, visitors, bots from account_quarter_hours",
      "select link_id, day, bot, rule, bots from link_bots join click_bots on id = bot_id",
      "select account_id, day, bot, rule, bots from account_bots join click_bots on id = bot_id",
      "select is_bot, day, sum(clicks), min(first), max(last) from click_blocks group by 1, 2",
      "select country, device, browser, os from click_clients",
      "select referrer, channel from click_referrers",
      "select dimension, value from click_values",
      "select slug, click_count, last_click_at, is_clicked from links",
      "select link_id, click_count, last_click_at from link_ranks",
    ]) {
      const found = await pool.query<{ text: string }>(`select t::text as text from (${query}) t`);
      contents.push([query, found.rows.map(({ text }) => named(text)).toSorted()]);
    }
    for (const filter of [{}, { device: "mobile" }, { bot: "any" }] as const) {
      // Links with as many clicks are in the order of their ids.
      const { top_links: links, ...report } = await caller.analytics.overview({ period: "all", ...filter });
      contents.push(report, links.map((link) => named(JSON.stringify(link))).toSorted());
    }
    let csv = "";
    for await (const piece of (await caller.analytics.export({ format: "csv" })).body) csv += piece;
    contents.push(named(csv).split("\n").toSorted());
    return contents;
  }
  return { pool, owner: { id: account.id, number }, ids: rows.map(({ id }) => id), core, texts };
}

it("the loader of benchmarks stores what the drain and the packing make of the same visits", {
  tags: ["long"],
}, async () => {
  const [drained, loaded] = [await open(), await open()];
  const loader = new YearLoader(loaded.pool, loaded.owner, loaded.ids);
  for (const start of days) {
    const visit = visitSource(60, new Random(start / dayMs));
    // Every fifth one comes twice, as visitors do.
    const visits = Array.from({ length: 400 }, visit).flatMap((one, at): Visit[] =>
      at % 5 === 0 ? [one, { ...one, inDay: (one.inDay + 3_600_000) % dayMs }] : [one],
    );
    for (const one of visits) await drained.core.clicks.record(clickOf(one, drained.ids, start));
    const database = await loaded.pool.connect();
    await database.query("begin");
    await loader.addDay(database, start, visits);
    await database.query("commit");
    database.release();
  }
  expect(await drained.core.clicks.drain()).toBe(1920);
  await packClicks(drained.core, end);
  const database = await loaded.pool.connect();
  await finishLinks(database, loaded.ids, loader);
  database.release();
  const [one, other] = [await drained.texts(), await loaded.texts()];
  for (const [at, expected] of one.entries()) expect(other[at]).toEqual(expected);
  expect(await loaded.core.clicks.rebuild()).toMatchObject({ differences: [], clicks: 1920 });
});
