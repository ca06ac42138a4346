import type { Base } from "../../db/base.ts";
import type { PoolClient } from "pg";
import { readSeries } from "../../analytics/series.ts";
import { accountScope, linkScope } from "../../analytics/question.ts";
import { fromDatabase } from "../../analytics/questions/source.ts";
import { readFilteredSeries } from "../../analytics/questions/raw-clicks.ts";
import { readHistory } from "../../analytics/history.ts";
import { withReportSlot } from "../../analytics/report-limiter.ts";
import { inSnapshot } from "../../db/connection.ts";
import type { DueAlert } from "./due.ts";
import type { Finding } from "./finding.ts";
import { boundsOf, surgeIn } from "./usual.ts";

/**
 * Whether the watched links have `factor` times the usual clicks. Rollups say it of a link or account, raw clicks of a tag: weeks
 * of which these were deleted are left out.
 */
export function surgeOf(
  deps: Pick<Base, "pool" | "shortHost">,
  { account_id, link_id, tag_key, factor }: DueAlert,
  now: number,
): Promise<Finding> {
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
