import { createTestDatabase } from "@terse/postgres";
import { expect, it, onTestFinished } from "vitest";
import { firstIdAt } from "../../src/clicks/click-id.ts";
import { createCore } from "../../src/index.ts";
import { testServer } from "../../src/testing.ts";
import { depsOf } from "../helpers.ts";

const id = (at: number) => `0190aaaa-bbbb-7ccc-8ddd-${String(at).padStart(12, "0")}`;
const [ada, ben, one, gone, free] = [id(1), id(2), id(11), id(12), id(13)];

/** Clicks in version 3 of the schema: link, account, time, is a bot, is the first of its visitor. */
const clicks: [link: string, account: string | null, time: string, isBot: boolean, isUnique: boolean][] = [
  [one, ada, "2026-04-30T23:59:59.999Z", false, true],
  [one, ada, "2026-05-01T00:00:00Z", false, true],
  [one, ada, "2026-05-01T00:14:59.999Z", false, false],
  [one, ada, "2026-05-01T00:15:00Z", true, false],
  [gone, ben, "2026-05-01T00:59:00Z", false, true],
  [free, null, "2026-05-31T23:59:59.999Z", false, true],
];

it("analytics keep earlier counts: exactly if raw clicks exist, by the hour if they are gone", async () => {
  const database = await createTestDatabase(testServer().url, "template1");
  onTestFinished(database.drop);
  const core = await createCore({ databaseUrl: database.url, shortBase: "http://short.test" });
  onTestFinished(() => core.close());
  const { orm, pool } = depsOf(core);
  await orm.migrator.up({ to: "0003-clicks" });

  await pool.query(`
    insert into users select id, id || '@example.com', 'A', 'pro', now() from unnest(array['${ada}', '${ben}']::uuid[]) id;
    insert into links (id, account_id, slug, destination, click_count, created_at, updated_at)
      values ('${one}', '${ada}', 'one', 'https://example.com/', 8, now(), now()),
             ('${free}', null, 'free', 'https://example.com/', 1, now(), now());
    insert into deleted_links values ('${gone}', '${ben}', '${id(0)}', 'gone', 'https://example.com/', null, now());
    insert into click_clients (country, device, browser, os) values ('DE', 'desktop', 'Firefox', 'Linux');
    insert into click_referrers (referrer) values ('news.example');
    create table clicks_2026_04 partition of clicks
      for values from (${firstIdAt(Date.UTC(2026, 3))}) to (${firstIdAt(Date.UTC(2026, 4))});
    create table clicks_2026_05 partition of clicks
      for values from (${firstIdAt(Date.UTC(2026, 4))}) to (${firstIdAt(Date.UTC(2026, 5))})`);
  for (const [at, [link, account, time, isBot, isUnique]] of clicks.entries()) {
    await pool.query("insert into clicks values ($1, $2, $3, 1, 1, $4, $5, $6)", [
      firstIdAt(Date.parse(time)) + BigInt(at),
      link,
      account,
      link === one ? 1 : null,
      isBot,
      isUnique,
    ]);
  }
  // Hourly rollups, and five clicks of a month whose raw clicks are gone.
  for (const owner of ["link", "account"]) {
    await pool.query(`
      insert into ${owner}_hours
        select ${owner}_id, date_trunc('hour', to_timestamp((id >> 20) / 1000)), count(*) filter (where not is_bot),
          count(*) filter (where is_unique), count(*) filter (where is_bot)
        from clicks where ${owner}_id is not null group by 1, 2
        union all select '${owner === "link" ? one : ada}', timestamptz '2026-01-10T10:00Z', 5, 4, 3;
      insert into ${owner}_days
        select ${owner}_id, (to_timestamp((id >> 20) / 1000) at time zone 'UTC')::date, dimension, value, count(*)
        from clicks, (values ('country', 'DE'), ('device', 'desktop'), ('browser', 'Firefox'), ('os', 'Linux'),
          ('referrer', 'news.example'), ('variant', null)) v (dimension, fixed),
          lateral (select coalesce(fixed, variant::text)) t (value)
        where not is_bot and ${owner}_id is not null and value is not null
          and ('${owner}' = 'link' or dimension <> 'variant') group by 1, 2, 3, 4
        union all select '${owner === "link" ? one : ada}', date '2026-01-10', 'os', 'Linux', 5`);
  }
  const raw = "select c.id, link_id, variant, is_bot, is_unique, client_id, referrer_id";
  const { rows: before } = await pool.query(`${raw}, account_id from clicks c order by 1`);

  await core.migrate();

  const { rows: after } = await pool.query(
    `${raw}, u.id as account_id from clicks c left join users u on number = account_number order by 1`,
  );
  expect(after).toEqual(before);
  const { rows: old } = await pool.query(
    "select relname from pg_class where relname ~ '^old_|^(link|account)_hours$|values_by_day'",
  );
  expect(old).toEqual([]);
  // What is missing is newer than these clicks: rows of a dimension, and the times of the links' last clicks.
  const { repaired, differences } = await core.clicks.rebuild();
  const { rows: lastClicks } = await pool.query(
    "select to_char(last_click_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') as at from links where click_count > 0 order by 1",
  );
  expect(differences).toContainEqual({ month: null, table: "links", rows: lastClicks.length });
  const { rows: newer } = await pool.query(
    `select count(*)::int from (
       select dimension from all_link_day_values union all select dimension from all_account_day_values
       union all select dimension from all_account_month_values
     ) t where dimension = 'channel'`,
  );
  expect(newer).toEqual([{ count: repaired - lastClicks.length }]);
  // The counts of January are in the first quarter of their hour, and no rebuild removes them.
  expect(await core.clicks.rebuild()).toEqual({
    months: ["2026-04", "2026-05"],
    kept: ["2026-01"],
    clicks: clicks.length,
    differences: [],
    repaired: 0,
  });
  const { rows: january } = await pool.query(
    `select to_char(start at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as start, clicks::int, visitors::int, bots::int
     from all_link_quarter_hours where link_id = $1 order by 1 limit 2`,
    [one],
  );
  expect(january).toEqual([
    { start: "2026-01-10 10:00", clicks: 5, visitors: 4, bots: 3 },
    { start: "2026-04-30 23:45", clicks: 1, visitors: 1, bots: 0 },
  ]);
  const { rows: months } = await pool.query(
    "select month::text, value, clicks::int from all_account_month_values where dimension = 'link' order by month, value",
  );
  expect(months).toEqual([
    { month: "2026-01-01", value: one, clicks: 5 },
    { month: "2026-04-01", value: one, clicks: 1 },
    { month: "2026-05-01", value: one, clicks: 2 },
    { month: "2026-05-01", value: gone, clicks: 1 },
  ]);
  const { rows: days } = await pool.query(
    "select sum(clicks)::int, sum(bots)::int as bots from account_days",
  );
  expect(days).toEqual([{ sum: 9, bots: 4 }]);
});
