import { clientValues } from "../clicks/index.ts";

/** How often each value of each dimension was counted in a window. */
export type Values = ReadonlyMap<string, readonly ValueCount[]>;

export interface ValueCount {
  value: string;
  clicks: number;
}

/** Rows of the lists that may be long. All others are as long as they are. */
export const maxListed = 100;

export interface ValueRow {
  dimension: string;
  value: string;
  clicks: string;
}

export function valuesOf(rows: readonly ValueRow[]): Values {
  const values = new Map<string, ValueCount[]>();
  for (const { dimension, value, clicks } of rows) {
    const list = values.get(dimension);
    if (list) list.push({ value, clicks: Number(clicks) });
    else values.set(dimension, [{ value, clicks: Number(clicks) }]);
  }
  return values;
}

/**
 * Raw clicks of the two edges of a window, each counting as its part's sign says. Takes the account, and for each edge
 * its sign and its ids' bounds.
 */
export const rawClicks = (account: number, start: number, where = "") =>
  [start, start + 3]
    .map(
      (at) => `select $${at}::int as sign, link_id, client_id, referrer_id, variant from clicks
        where account_number = (select number from users where id = $${account}) and not is_bot
          and id >= $${at + 1}::bigint and id < $${at + 2}::bigint ${where}`,
    )
    .join(" union all ");

/** Raw clicks as values of dimensions that have few values, and the referrers. */
export const rawValues = `
  select v.dimension, v.value, r.clicks
  from (select client_id, sum(sign) as clicks from raw group by 1) r
    join click_clients c on c.id = r.client_id,
    lateral (values ${clientValues}) v (dimension, value)
  union all
  select 'referrer', c.referrer, r.clicks
  from (select referrer_id, sum(sign) as clicks from raw group by 1) r join click_referrers c on c.id = r.referrer_id`;

/** Of which nothing is known, or not any more. */
export const unknown = "unknown";
const direct = "(direct)";

/** A value as it is shown: nothing has a name, too. */
export const labelOf = (dimension: string, value: string): string =>
  value || (dimension === "referrer" ? direct : unknown);

/** Links and referrers as they are shown and, where there are ties, ordered. */
export const shown = `case value when '' then '${direct}' else value end collate "C"`;
