import { timeIn } from "../../click-id.ts";
import { clientValues } from "../prepare/description.ts";
import type { Month } from "../store/partitions.ts";

/** A table of rollups, and how its rows of a month are counted anew. */
export interface Rollup {
  table: string;
  key: readonly string[];
  counts: readonly string[];
  /** The condition that picks a month's rows */
  of(month: Month): string;
  /** The query that gives what those rows should be */
  wanted(month: Month): string;
}

type RollupScope = "link" | "account";

/** Raw clicks of a month, with their owner as `owner_id`. */
const rawClicks = (owner: RollupScope, { partition }: Month) =>
  owner === "link"
    ? `(select *, link_id as owner_id from ${partition}) c`
    : `(select c.*, u.id as owner_id from ${partition} c join users u on u.number = account_number) c`;

/** Accounts that are gone are left alone: their raw clicks no longer tell whose they were. */
const isThere = (owner: RollupScope) => (owner === "link" ? "true" : "account_id in (select id from users)");

const periods = ["clicks", "visitors", "bots"];

const quarterHours = (owner: RollupScope): Rollup => ({
  table: `${owner}_quarter_hours`,
  key: [`${owner}_id`, "start"],
  counts: periods,
  of: ({ first, next }) => `start >= '${first} 00:00Z' and start < '${next} 00:00Z' and ${isThere(owner)}`,
  wanted: (month) => `
    select owner_id as ${owner}_id, to_timestamp(${timeIn("id")} / 900000 * 900) as start,
      count(*) filter (where not is_bot) as clicks, count(*) filter (where is_unique) as visitors,
      count(*) filter (where is_bot) as bots
    from ${rawClicks(owner, month)} group by 1, 2`,
});

/** Of quarter hours that have been put right. */
const days = (owner: RollupScope): Rollup => ({
  table: `${owner}_days`,
  key: [`${owner}_id`, "day"],
  counts: periods,
  of: ({ first, next }) => `day >= '${first}' and day < '${next}' and ${isThere(owner)}`,
  wanted: (month) => `
    select ${owner}_id, (start at time zone 'UTC')::date as day,
      sum(clicks) as clicks, sum(visitors) as visitors, sum(bots) as bots
    from ${owner}_quarter_hours where ${quarterHours(owner).of(month)} group by 1, 2`,
});

const ownDimension = { link: ["variant", "variant"], account: ["link", "link_id"] } as const;

const dayValues = (owner: RollupScope): Rollup => {
  const [dimension, column] = ownDimension[owner];
  return {
    table: `${owner}_day_values`,
    key: [`${owner}_id`, "dimension", "value", "day"],
    counts: ["clicks"],
    of: days(owner).of,
    // Counted before they are told apart by dimension: many clicks are alike.
    wanted: (month) => `
      select owner_id as ${owner}_id, dimension, value, day, sum(alike) as clicks
      from (
        select owner_id, date '1970-01-01' + (${timeIn("id")} / 86400000)::int as day, client_id, referrer_id, ${column}, count(*) as alike
        from ${rawClicks(owner, month)} where not is_bot group by 1, 2, 3, 4, 5
      ) t join click_clients c on c.id = client_id join click_referrers r on r.id = referrer_id
      cross join lateral (values ${clientValues},
        ('referrer', referrer), ('${dimension}', ${column}::text)) v (dimension, value)
      where value is not null group by 1, 2, 3, 4`,
  };
};

/** Of days that have been put right. */
const monthValues: Rollup = {
  table: "account_month_values",
  key: ["account_id", "dimension", "value", "month"],
  counts: ["clicks"],
  of: ({ first }) => `month = '${first}' and ${isThere("account")}`,
  wanted: (month) => `
    select account_id, dimension, value, date '${month.first}' as month, sum(clicks) as clicks
    from account_day_values where ${days("account").of(month)} group by 1, 2, 3`,
};

/** In an order in which each is counted from raw clicks, or from what has been counted before it. */
export const rollups: readonly Rollup[] = [
  ...(["link", "account"] as const).flatMap((owner) => [quarterHours(owner), days(owner), dayValues(owner)]),
  monthValues,
];
