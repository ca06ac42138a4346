import type { PoolClient } from "pg";
import { dayMs, quarterHourMs } from "../kernel/time.ts";
import { addBlocks, merged, takeLinksFromBlocks, takeSmallBlocks } from "./blocks/write-blocks.ts";
import { none } from "./blocks/block.ts";
import type { OwnedClicks } from "./blocks/binary-clicks.ts";
import { firstIdAt } from "./click-id.ts";
import { campaignDimensions } from "./dimension-names.ts";
import { packedCodes } from "./dimensions.ts";
import type { ClickAccount } from "./drain/prepare/click-counts.ts";
import { numbersOfLinks } from "./drain/prepare/value-ids.ts";
import {
  addAccountSums,
  monthOf,
  type SumsDelta,
  SumsDeltas,
  subtractAccountSums,
} from "./drain/rollups/account-sums.ts";
import { addRows, type RollupRow, type Rollup, rollups } from "./drain/rollups/rollups.ts";
import { readPacked } from "./packed/sums.ts";

interface Move {
  links: readonly string[];
  from: ClickAccount;
  to: ClickAccount;
}

/**
 * Moves all clicks on links from one account to another: raw clicks, blocks, and the accounts' sums, which are made from the
 * days of the links. The caller has called `waitForPacking` before it locked the links, so that no click is packed or counted
 * meanwhile, and gives them the new account in the same transaction: a drain that prepared clicks for the old one prepares
 * them again. A copy in ClickHouse is made again.
 */
export async function moveClicks(database: PoolClient, move: Move): Promise<void> {
  const numbers = await numbersOfLinks(database, move.links);
  const sums = await sumsOf(database, move.links, numbers);
  if (sums.days.size === 0) return;
  // In the order of the drain, which locks the same rows.
  await moveRollups(database, move, sums);
  const bySums = [
    { id: move.from.id, change: () => subtractAccountSums(database, sums.values(move.from.id)) },
    { id: move.to.id, change: () => addAccountSums(database, sums.values(move.to.id)) },
  ];
  for (const { change } of bySums.toSorted((a, b) => (a.id < b.id ? -1 : 1))) await change();
  await database.query("delete from account_hour_sums where account_id = any($1::uuid[])", [
    [move.from.id, move.to.id],
  ]);
  const days = [...sums.days.keys()].toSorted();
  await moveRows(database, move, days);
  await moveBlocks(database, move, days, new Set(numbers.values()));
  // A copy that is being made has the old account: with another token, it is not taken for a complete one.
  await database.query("update clickhouse_copy set is_live = false, token = gen_random_uuid()");
}

interface Counts {
  clicks: number;
  visitors: number;
  bots: number;
}

/** The clicks of links by the keys of their account's sums. */
interface LinkSums {
  /** By day, as YYYY-MM-DD */
  days: Map<string, Counts>;
  /** By start, in milliseconds since the epoch */
  quarterHours: Map<number, Counts>;
  bots: readonly { day: string; bot_id: number; bots: number }[];
  values(accountId: string): SumsDelta[];
}

async function sumsOf(
  database: PoolClient,
  links: readonly string[],
  numbers: ReadonlyMap<string, number>,
): Promise<LinkSums> {
  const days: LinkSums["days"] = new Map();
  const quarterHours: LinkSums["quarterHours"] = new Map();
  const deltas = new SumsDeltas();
  const add = <Key>(counts: Map<Key, Counts>, key: Key, { clicks, visitors, bots }: Counts) => {
    const before = counts.get(key) ?? { clicks: 0, visitors: 0, bots: 0 };
    const sum = (name: keyof Counts, more: number) => before[name] + more;
    counts.set(key, {
      clicks: sum("clicks", clicks),
      visitors: sum("visitors", visitors),
      bots: sum("bots", bots),
    });
  };
  const { rows } = await database.query<
    { link: string; day: string; packed: Buffer } & Record<keyof Counts, string>
  >(
    `select link_id as link, day::text, clicks, visitors, bots, packed from link_days where link_id = any($1::uuid[])`,
    [links],
  );
  for (const { link, day, packed, ...counts } of rows) {
    const [clicks, visitors, bots] = [counts.clicks, counts.visitors, counts.bots].map(Number) as [
      number,
      number,
      number,
    ];
    add(days, day, { clicks, visitors, bots });
    const sums = [deltas.of("", "day", day), deltas.of("", "month", monthOf(day))];
    if (clicks > 0) for (const each of sums) each.value(codes.link, numbers.get(link) as number, clicks);
    const start = Date.parse(day);
    readPacked(packed, {
      quarterHour: (quarter, ...of) =>
        add(quarterHours, start + quarter * quarterHourMs, { clicks: of[0], visitors: of[1], bots: of[2] }),
      value(code, id, count) {
        if (code !== codes.variant) for (const each of sums) each.value(code, id, count);
      },
    });
  }
  const { rows: bots } = await database.query<{ day: string; bot_id: number; bots: number }>(
    `select day::text, bot_id, sum(bots)::int as bots from link_bots where link_id = any($1::uuid[]) group by 1, 2`,
    [links],
  );
  const all = deltas.sorted().filter(({ sums }) => !sums.isEmpty);
  return { days, quarterHours, bots, values: (account_id) => all.map((delta) => ({ ...delta, account_id })) };
}

const codes = { link: packedCodes.get("link") as number, variant: packedCodes.get("variant") as number };

/** Takes the counts from one account's sums by time and gives them to the other one's. */
async function moveRollups(database: PoolClient, { from, to }: Move, sums: LinkSums): Promise<void> {
  const rowsOf: Readonly<Record<string, readonly RollupRow[]>> = {
    account_quarter_hours: Array.from(sums.quarterHours, ([start, counts]) => {
      return { start: new Date(start).toISOString(), ...counts };
    }),
    account_days: Array.from(sums.days, ([day, counts]) => ({ day, ...counts })),
    account_bots: sums.bots,
  };
  for (const rollup of rollups) {
    const rows = rowsOf[rollup.table];
    if (rows === undefined || rows.length === 0) continue;
    const negative = (row: RollupRow) =>
      Object.fromEntries(rollup.counts.map((name) => [name, -Number(row[name])]));
    await database.query(
      addRows(rollup, [
        ...rows.map((row) => ({ ...row, account_id: to.id })),
        ...rows.map((row) => ({ ...row, ...negative(row), account_id: from.id })),
      ]),
    );
    await database.query(`delete from ${rollup.table} where account_id = $1 and ${isEmpty(rollup)}`, [
      from.id,
    ]);
  }
}

const isEmpty = ({ counts }: Rollup) => counts.map((name) => `${name} = 0`).join(" and ");

const sameCampaign = campaignDimensions.map((name) => `n.${name} = o.${name}`).join(" and ");

/** SQL: the campaigns of `to` ($1) with the texts of those with some ids, which are added if they are missing. */
const addCampaigns = (ids: string) => `
  insert into click_campaigns (account_number, ${campaignDimensions.join()})
  select distinct $1::int, ${campaignDimensions.join()} from click_campaigns where id in (${ids})
  order by ${campaignDimensions.join()} on conflict do nothing`;

/** SQL: the campaign of `to` ($1) that stands for another account's. */
const newCampaign = (id: string) => `
  (select n.id from click_campaigns o join click_campaigns n on n.account_number = $1 and ${sameCampaign} where o.id = ${id})`;

async function moveRows(
  database: PoolClient,
  { links, from, to }: Move,
  days: readonly string[],
): Promise<void> {
  const range = [Date.parse(days[0] as string), Date.parse(days.at(-1) as string) + dayMs];
  const values = [to.number, from.number, links, ...range.map((time) => String(firstIdAt(time)))];
  // Each with the condition of an index.
  for (const kind of ["not is_bot", "is_bot"]) {
    const moved = `account_number = $2 and ${kind} and link_id = any($3::uuid[]) and id >= $4 and id < $5`;
    await database.query(addCampaigns(`select campaign_id from clicks where ${moved}`), values);
    await database.query(
      `update clicks c set account_number = $1, campaign_id = ${newCampaign("c.campaign_id")} where ${moved}`,
      values,
    );
  }
}

async function moveBlocks(
  database: PoolClient,
  { from, to }: Move,
  days: readonly string[],
  numbers: ReadonlySet<number>,
): Promise<void> {
  const campaigns = new Map([[none, none]]);
  for (const day of days) {
    const taken = await takeLinksFromBlocks(database, day, from.number, numbers);
    if (taken.length === 0) continue;
    await findCampaigns(database, to, taken, campaigns);
    const owned = taken.map(({ isBot, clicks }): OwnedClicks => {
      const campaign = clicks.values.campaign.map((id) => campaigns.get(id) as number);
      return { account: to.number, isBot, clicks: { ...clicks, values: { ...clicks.values, campaign } } };
    });
    const small = await takeSmallBlocks(database, day, owned);
    await addBlocks(database, day, merged([...small, ...owned]));
  }
}

/** Adds the campaigns of clicks to `known`: the ones of `to` by those of the account that had the clicks. */
async function findCampaigns(
  database: PoolClient,
  to: ClickAccount,
  all: readonly OwnedClicks[],
  known: Map<number, number>,
): Promise<void> {
  const ids = [...new Set(all.flatMap(({ clicks }) => [...new Set(clicks.values.campaign)]))];
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  await database.query(addCampaigns("select unnest($2::int[])"), [to.number, unknown]);
  const { rows } = await database.query<{ old: number; new: number | null }>(
    `select old, ${newCampaign("old")} as new from unnest($2::int[]) t (old)`,
    [to.number, unknown],
  );
  for (const row of rows) known.set(row.old, row.new ?? none);
}
