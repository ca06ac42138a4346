import type { Pool } from "pg";
import { hourMs } from "../../kernel/time.ts";
import type { DueAlert } from "./due.ts";
import type { Finding } from "./finding.ts";

/** Whether the watched links have had no click for the alert's hours, counted from the alert's creation at the earliest. */
export async function silenceOf(pool: Pool, alert: DueAlert, now: number): Promise<Finding> {
  const last = await lastClickOf(pool, alert);
  const from = Math.min(now, Math.max(last ?? 0, alert.created_ms));
  return {
    isOn: now - from >= (alert.hours ?? 0) * hourMs,
    clicks: 0,
    usual: null,
    window: { from, to: now },
  };
}

/** Milliseconds since the epoch; null without a click. */
async function lastClickOf(pool: Pool, { account_id, link_id, tag_id }: DueAlert): Promise<number | null> {
  const [what, from, id] =
    link_id !== null
      ? ["link", "links l where l.id = $1", link_id]
      : tag_id !== null
        ? ["tag", "links l join link_tags t on t.link_id = l.id where t.tag_id = $1", tag_id]
        : ["account", "links l where l.account_id = $1", account_id];
  const last = `(select l.last_click_at from ${from} order by l.last_click_at desc nulls last limit 1)`;
  const { rows } = await pool.query<{ last: number | null }>({
    name: `last-click-of-${what}`,
    text: `select (extract(epoch from ${what === "account" ? withDeleted(last) : last}) * 1000)::float8 as last`,
    values: [id],
  });
  return rows[0]?.last ?? null;
}

/** SQL: the last click of an account's links or, if a deleted link had a later one, the end of its quarter hour. */
const withDeleted = (last: string): string =>
  `(select greatest(t.last, (
      select start + interval '15 minutes' from account_quarter_hours
      where account_id = $1 and clicks > 0 and (t.last is null or start > t.last) order by start desc limit 1
    )) from (select ${last} as last) t)`;
