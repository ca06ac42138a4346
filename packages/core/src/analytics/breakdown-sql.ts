import { clientDimensionRows, referrerDimensionRows } from "../clicks/index.ts";
import { type Breakdowns, directReferrer, type ValueCount } from "./breakdowns.ts";

/** What the breakdowns of a link and of an account have in common in SQL. */

/** Maximum length of the lists that are truncated (referrers and links). */
export const maxListed = 100;

export interface BreakdownRow {
  dimension: string;
  value: string;
  clicks: string;
}

export function breakdownsOf(rows: readonly BreakdownRow[]): Breakdowns {
  const breakdowns = new Map<string, ValueCount[]>();
  for (const { dimension, value, clicks } of rows) {
    const values = breakdowns.get(dimension);
    if (values) values.push({ value, clicks: Number(clicks) });
    else breakdowns.set(dimension, [{ value, clicks: Number(clicks) }]);
  }
  return breakdowns;
}

/**
 * Raw clicks at the two edges of a window, each with the sign of its part. `account` is the number of the parameter with
 * the account's id, `start` that of the first of six: for each edge its sign and the bounds of its click ids.
 */
export const rawClicks = (account: number, start: number, condition = "") =>
  [start, start + 3]
    .map(
      (at) => `select $${at}::int as sign, link_id, client_id, referrer_id, variant from clicks
        where account_number = (select number from users where id = $${account}) and not is_bot
          and id >= $${at + 1}::bigint and id < $${at + 2}::bigint ${condition}`,
    )
    .join(" union all ");

/** Raw clicks (a table `raw`) by dimension of the client and of the referrer. */
export const rawValues = `
  select v.dimension, v.value, r.clicks
  from (select client_id, sum(sign) as clicks from raw group by 1) r
    join click_clients c on c.id = r.client_id,
    lateral (values ${clientDimensionRows}) v (dimension, value)
  union all
  select v.dimension, v.value, r.clicks
  from (select referrer_id, sum(sign) as clicks from raw group by 1) r
    join click_referrers c on c.id = r.referrer_id,
    lateral (values ${referrerDimensionRows}) v (dimension, value)`;

/** Links and referrers by their labels, in the order of ties. */
export const valueOrder = `case value when '' then '${directReferrer}' else value end collate "C"`;
