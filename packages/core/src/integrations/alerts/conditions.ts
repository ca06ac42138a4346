import type { Pool, PoolClient } from "pg";
import { readHistory } from "../../analytics/periods/history.ts";
import { readSeries } from "../../analytics/periods/series.ts";
import { accountScope, linkScope } from "../../analytics/question.ts";
import { readFilteredSeries } from "../../analytics/questions/answer.ts";
import { fromDatabase, withReportSlot } from "../../analytics/questions/source.ts";
import type { Base } from "../../db/base.ts";
import { inSnapshot } from "../../db/connection.ts";
import { dayMs, hourMs } from "../../kernel/time.ts";
import type { AlertKind } from "./alert.schema.ts";

/** An alert that is to be evaluated. */
export interface DueAlert {
  id: string;
  name: string;
  account_id: string;
  kind: AlertKind;
  link_id: string | null;
  tag_id: string | null;
  tag: string | null;
  tag_key: string | null;
  hours: number | null;
  factor: number | null;
  is_on: boolean;
  /** Milliseconds since the epoch */
  created_ms: number;
}

/** The result of an evaluation. */
export interface AlertResult {
  /** Whether the condition holds */
  isOn: boolean;
  clicks: number;
  /** The mean of the same hour of the weeks before; null of silence */
  usual: number | null;
  /** The time that the clicks were counted in, in milliseconds since the epoch */
  window: { from: number; to: number };
}

/** Whether the watched links have had no click for the alert's hours, counted from the alert's creation at the earliest. */
export async function silenceOf(pool: Pool, alert: DueAlert, now: number): Promise<AlertResult> {
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

/**
 * Whether the watched links have `factor` times the usual clicks. Links and accounts are counted from rollups, tags from raw clicks;
 * weeks whose raw clicks were deleted are left out.
 */
export function surgeOf(
  deps: Pick<Base, "pool" | "shortHost">,
  { account_id, link_id, tag_key, factor }: DueAlert,
  now: number,
): Promise<AlertResult> {
  const { pool } = deps;
  const scope = link_id === null ? accountScope(account_id) : linkScope(link_id, account_id);
  const bounds = boundsOf(now);
  const multiple = factor ?? Number.POSITIVE_INFINITY;
  const ofAll = async (database: PoolClient) => {
    const { first } = await readHistory(database, scope);
    const series = await readSeries(database, scope, bounds);
    return surgeIn(series.map(clicksOf), now, multiple, first);
  };
  const ofTag = async (key: string, database: PoolClient) => {
    const { first, rawSince } = await readHistory(database, scope);
    const kept = bounds.filter((time) => rawSince === null || time >= rawSince);
    const filters = [{ dimension: "tag", values: [key], negated: false }] as const;
    const series = await readFilteredSeries(database, deps, scope, filters, kept, fromDatabase);
    const deleted = Array<number>(bounds.length - kept.length).fill(0);
    return surgeIn([...deleted, ...series.map(clicksOf)], now, multiple, rawSince ?? first);
  };
  return tag_key === null
    ? inSnapshot(pool, ofAll)
    : withReportSlot(pool, account_id, true, (database) => ofTag(tag_key, database));
}

const clicksOf = ({ clicks }: { clicks: number }) => clicks;

const weekMs = 7 * dayMs;
const weeks = 4;

/** Fewer clicks in an hour are not a surge, whatever is usual. */
const fewestClicks = 10;

/** The bounds of the hours that are compared: the hour before, and the current one, of this week and the four before. */
export function boundsOf(now: number): number[] {
  const hour = Math.floor(now / hourMs) * hourMs;
  return Array.from({ length: weeks + 1 }, (_, at) => hour - (weeks - at) * weekMs).flatMap((start) => [
    start - hourMs,
    start,
    start + hourMs,
  ]);
}

/**
 * Compares the clicks of the current hour, and of the one before, with the mean of the same hour of previous weeks,
 * back to the first click. `clicks[i]` is from `bounds[i]` to `bounds[i + 1]`; `first`: the time of the first click.
 */
export function surgeIn(
  clicks: readonly number[],
  now: number,
  factor: number,
  first: number | null,
): AlertResult {
  const bounds = boundsOf(now);
  const nothing = { isOn: false, clicks: 0, usual: null };
  const found = [0, 1].map((hour): AlertResult => {
    const at = (week: number) => week * 3 + hour;
    const [from = 0, to = 0] = [bounds[at(weeks)], bounds[at(weeks) + 1]];
    const before = Array.from({ length: weeks }, (_, week) => week).filter(
      (week) => first !== null && (bounds[at(week)] as number) >= Math.floor(first / hourMs) * hourMs,
    );
    const window = { from, to: Math.min(to, now) };
    if (before.length === 0) return { ...nothing, window };
    const usual = before.reduce((sum, week) => sum + (clicks[at(week)] ?? 0), 0) / before.length;
    const counted = clicks[at(weeks)] ?? 0;
    return { isOn: counted >= Math.max(fewestClicks, factor * usual), clicks: counted, usual, window };
  });
  const [previous, current] = found as [AlertResult, AlertResult];
  return current.isOn || !previous.isOn ? current : previous;
}
