import type { PoolClient } from "pg";
import { timeIn } from "../../click-id.ts";
import { clientDimensionRows, packedCodes, referrerDimensionRows } from "../../dimensions.ts";
import { dayMs } from "../../../kernel/time.ts";
import type { Month } from "../store/partitions.ts";
import type { AccountPeriod } from "./account-period.ts";
import { Additions, addAccountSums } from "./account-sums.ts";
import { rawClicksOfAccounts } from "./rollup.ts";

/**
 * Compares the sums of accounts by value in a month, by its days and as a whole, with raw clicks, and writes those again that are
 * wrong, packed or not. Returns their number: of those that were missing, wrong or should not exist. Sums of deleted accounts are
 * kept, since nothing could restore them.
 */
export async function repairAccountSums(database: PoolClient, month: Month): Promise<number> {
  await database.query(countAgain(month));
  const { rows } = await database.query<{ wrong: string }>("select count(*) as wrong from wrong_sums");
  const wrong = Number(rows[0]?.wrong);
  if (wrong > 0) await writeAgain(database);
  await database.query("drop table expected_sums, wrong_sums");
  return wrong;
}

/** Statements that make temporary tables: what the sums should be, and which are wrong. */
const countAgain = (month: Month) => `
  create temporary table expected_sums on commit drop as
    with by_day as (
      select account_id, start, dimension, value, sum(alike) as clicks
      from (
        select account_id, date '1970-01-01' + (${timeIn("id")} / ${dayMs})::int as start, client_id, referrer_id, link_id,
          count(*) as alike
        from ${rawClicksOfAccounts(month)} where not is_bot group by 1, 2, 3, 4, 5
      ) t join click_clients c on c.id = client_id join click_referrers r on r.id = referrer_id
      cross join lateral (values ${clientDimensionRows}, ${referrerDimensionRows}, ('link', link_id::text))
        v (dimension, value)
      group by 1, 2, 3, 4
    )
    select account_id, 'day' as period, start, dimension, value, clicks from by_day
    union all
    select account_id, 'month', '${month.first}'::date, dimension, value, sum(clicks) from by_day group by 1, 4, 5;
  create temporary table wrong_sums on commit drop as
    select distinct account_id, period, start from expected_sums e full join (
      select account_id, period, start, dimension, value, sum(clicks) as clicks from (
        select account_id, period, start, v.dimension, v.value, u.clicks
        from account_sums, unpack_sums(packed) u left join click_values v on v.id = u.key
        union all
        select account_id, 'day', day, dimension, value, clicks from account_day_values
        union all
        select account_id, 'month', month, dimension, value, clicks from account_month_values
      ) t
      where start >= '${month.first}' and start < '${month.next}' and account_id in (select id from users)
      group by 1, 2, 3, 4, 5
    ) r using (account_id, period, start, dimension, value)
    where e.clicks is distinct from r.clicks`;

interface Row extends AccountPeriod {
  dimension: string;
  id: number;
  clicks: string;
}

/** Rows of one statement */
const portion = 10_000;

async function writeAgain(database: PoolClient): Promise<void> {
  await database.query(`
    delete from account_day_values v using wrong_sums w
      where v.account_id = w.account_id and w.period = 'day' and v.day = w.start;
    delete from account_month_values v using wrong_sums w
      where v.account_id = w.account_id and w.period = 'month' and v.month = w.start;
    delete from account_sums a using wrong_sums w
      where a.account_id = w.account_id and a.period = w.period and a.start = w.start;
    insert into click_values (dimension, value)
      select distinct dimension, value from expected_sums join wrong_sums using (account_id, period, start) order by 1, 2
      on conflict do nothing;
    declare expected_rows no scroll cursor for
      select account_id, period, start::text, dimension, c.id, clicks
      from expected_sums join wrong_sums using (account_id, period, start) join click_values c using (dimension, value)
      order by account_id, period, start`);
  for (;;) {
    const { rows } = await database.query<Row>(`fetch ${portion} from expected_rows`);
    const additions = new Additions();
    for (const { account_id, period, start, dimension, id, clicks } of rows)
      additions.of(account_id, period, start).value(packedCodes.get(dimension) as number, id, Number(clicks));
    await addAccountSums(database, additions.sorted());
    if (rows.length < portion) break;
  }
  await database.query("close expected_rows");
}
