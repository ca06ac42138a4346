import type { QueryConfig } from "pg";
import type { Batch, PreparedClick } from "../prepare/prepare.ts";
import { sqlArray, sqlColumns } from "../../../db/sql-array.ts";
import type { Sums } from "../prepare/tally.ts";

/**
 * The writing half of a drain's transaction: one prepared statement a table, whole batches as arrays. Ids and days are
 * sent once each and named by their place, as reading them costs PostgreSQL more than writing the rows.
 */

export function addVisitors({ visitors, days }: Batch): QueryConfig {
  const { table, values } = sqlColumns(2, {
    day: ["int", sqlArray(Array.from(visitors.values(), ({ slot }) => slot.day.place))],
    visitor: ["bigint", sqlArray([...visitors.keys()])],
  });
  return {
    name: "add-visitors",
    text: `with fresh as (
             insert into click_visitors (day, visitor)
             select ($1::date[])[day], visitor from ${table}
             order by 1, 2 on conflict do nothing returning visitor
           ) select string_agg(visitor::text, ',') as visitors from fresh`,
    values: [sqlArray(days.map(({ date }) => date)), ...values],
  };
}

/** The columns are made at once; the statement is when the database has told who is new. */
export function addClicks(
  { clicks, links, clientIds, referrerIds }: Batch,
  idAt: (time: number) => string,
): (isUnique: (click: PreparedClick) => boolean) => QueryConfig {
  const ids = sqlArray(links.map(({ id }) => id));
  const known = {
    id: ["bigint", sqlArray(clicks.map(({ time }) => idAt(time)))],
    link: ["int", sqlArray(clicks.map(({ slot }) => slot.link.place))],
    account_number: ["int", sqlArray(clicks.map(({ slot }) => slot.account?.number ?? "null"))],
    client_id: ["int", sqlArray(clicks.map(({ client }) => clientIds.get(client) ?? "null"))],
    referrer_id: ["int", sqlArray(clicks.map(({ referrer }) => referrerIds.get(referrer) ?? "null"))],
    variant: ["smallint", sqlArray(clicks.map(({ variant }) => variant ?? "null"))],
    is_bot: ["bool", sqlArray(clicks.map(({ is_bot }) => is_bot))],
  } as const;
  return (isUnique) => {
    const { table, values } = sqlColumns(2, {
      ...known,
      is_unique: ["bool", sqlArray(clicks.map(isUnique))],
    });
    return {
      name: "add-clicks",
      text: `insert into clicks (id, link_id, account_number, client_id, referrer_id, variant, is_bot, is_unique)
             select id, ($1::uuid[])[link], account_number, client_id, referrer_id, variant, is_bot, is_unique
             from ${table}`,
      values: [ids, ...values],
    };
  };
}

/** Adds to the links' own counts. Rows are locked by id, in the order of every node. */
export function addClickCounts(links: readonly Sums[]): QueryConfig {
  const { table, values } = sqlColumns(1, {
    id: ["uuid", sqlArray(links.map(({ id }) => id))],
    clicks: ["int", sqlArray(links.map((link) => link.days().reduce((sum, { clicks }) => sum + clicks, 0)))],
  });
  return {
    name: "add-click-counts",
    text: `update links set click_count = click_count + t.clicks
           from (
             select id, clicks from ${table} join links using (id) order by id for no key update of links
           ) t where links.id = t.id`,
    values,
  };
}
