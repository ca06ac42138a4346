import type { Pool } from "pg";
import { inTransaction } from "../../../db/connection.ts";
import { hourMs, utcDate } from "../../../kernel/time.ts";
import { packableBefore } from "../../blocks/pack-clicks.ts";
import { firstIdAt } from "../../click-id.ts";
import { clientDimensionRows, referrerDimensionRows } from "../../dimensions.ts";
import { inPortions, mayPack, type Portion, portionSql } from "../../packed/packing.ts";
import { PackedSums } from "../../packed/sums.ts";
import { BatchValues, dictionaries, openDictionary } from "../prepare/value-ids.ts";

/**
 * Visits of large accounts by value, and bots by reason, for each ended hour of the days that are not in blocks yet:
 * a report whose window begins inside of such a day need not count rows. They are made from rows, and nothing is made
 * from them. An hour is correct while its clicks and bots equal those of its quarter hours, which are counted with
 * each visit: a late visit invalidates it until it is made again.
 */

/** SQL: the hours of some accounts that are missing or wrong. Hours without clicks are there, too. */
const missing = portionSql(`
  select id as account, number, extract(epoch from s.start) * 1000 as start
  from (
    select * from chosen
    where (select coalesce(sum(clicks), 0) from account_days where account_id = id and day >= $4) >= $5
  ) large
  cross join generate_series($2::timestamptz, $3::timestamptz - interval '1 hour', interval '1 hour') s (start)
  cross join lateral (
    select coalesce(sum(clicks), 0) as clicks, coalesce(sum(bots), 0) as bots from account_quarter_hours q
    where q.account_id = id and q.start >= s.start and q.start < s.start + interval '1 hour'
  ) q left join account_hour_sums h on h.account_id = id and h.start = s.start
  where (h.clicks, h.bots) is distinct from (q.clicks, q.bots)`);

interface Hour {
  account: string;
  number: number;
  /** Milliseconds since the epoch */
  start: number;
}

/**
 * Returns the function that makes some of the sums. It returns false at the end, and if another node packs. Accounts
 * with at least `least` clicks in these days are large; fewer rows are counted quickly.
 */
export function createHourSums(pool: Pool, now: number, { least = 1000 } = {}): () => Promise<boolean> {
  const first = packableBefore(now);
  const bounds = [new Date(first), new Date(Math.floor(now / hourMs) * hourMs), utcDate(first), least];
  const makeSome = inPortions(
    async (after) => (await pool.query<Portion<Hour>>(missing, [after, ...bounds])).rows[0],
    (hour) => makeSums(pool, hour),
  );
  let deleted = false;
  return async () => {
    if (!deleted) {
      await pool.query("delete from account_hour_sums where start < $1", [new Date(first)]);
      deleted = true;
    }
    return (await makeSome()) === "more";
  };
}

/** SQL: clicks by value; the row without a dimension has all of them. */
const counts = `
  with counted as (
    select client_id, referrer_id, link_id, count(*) as alike from clicks
    where account_number = $1 and not is_bot and id >= $2 and id < $3
    group by grouping sets ((client_id), (referrer_id), (link_id), ())
  )
  select v.dimension, v.value, sum(alike) as clicks
  from counted join click_clients c on c.id = client_id, lateral (values ${clientDimensionRows}) v (dimension, value) group by 1, 2
  union all
  select v.dimension, v.value, sum(alike)
  from counted join click_referrers c on c.id = referrer_id, lateral (values ${referrerDimensionRows}) v (dimension, value) group by 1, 2
  union all
  select 'link', link_id::text, alike from counted where link_id is not null
  union all
  select null, '', alike from counted where client_id is null and referrer_id is null and link_id is null`;

/** SQL: stores an hour, with its bots by reason. */
const store = `
  insert into account_hour_sums (account_id, start, clicks, packed, bots, bot_ids, bot_counts)
  select $1, $2, $3, $4, coalesce(sum(alike), 0),
    coalesce(array_agg(bot_id), '{}'), coalesce(array_agg(alike), '{}')
  from (
    select bot_id, count(*) as alike from clicks
    where account_number = $5 and is_bot and id >= $6 and id < $7 group by 1
  ) b
  on conflict (account_id, start) do update set (clicks, packed, bots, bot_ids, bot_counts)
    = (excluded.clicks, excluded.packed, excluded.bots, excluded.bot_ids, excluded.bot_counts)`;

function makeSums(pool: Pool, { account, number, start }: Hour): Promise<boolean> {
  return inTransaction(pool, async (database) => {
    if (!(await mayPack(database))) return false;
    const ofHour = [number, ...[start, start + hourMs].map((time) => String(firstIdAt(time)))];
    const { rows } = await database.query<{ dimension: string | null; value: string; clicks: string }>(
      counts,
      ofHour,
    );
    const batchValues = new BatchValues();
    const counted = rows.flatMap(({ dimension, value, clicks }) =>
      dimension === null ? [] : [{ value: batchValues.value(dimension, value), clicks: Number(clicks) }],
    );
    await openDictionary(database, dictionaries.values).findIds(batchValues.values);
    const sums = new PackedSums();
    for (const { value, clicks } of counted) sums.value(value.code, value.id, clicks);
    const whole = rows.find(({ dimension }) => dimension === null);
    await database.query(store, [account, new Date(start), whole?.clicks ?? 0, sums.pack(), ...ofHour]);
    return true;
  });
}
