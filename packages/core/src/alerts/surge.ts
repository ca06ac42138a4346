import type { PoolClient } from "pg";
import {
  accountScope,
  fromDatabase,
  linkScope,
  readFilteredSeries,
  readHistory,
  readSeries,
  withReportSlot,
} from "../analytics/index.ts";
import { inSnapshot } from "../db/snapshot.ts";
import type { Deps } from "../deps.ts";
import type { DueAlert } from "./due.ts";
import type { Finding } from "./finding.ts";
import { boundsOf, surgeIn } from "./usual.ts";

/** Whether the watched links have `factor` times the usual clicks. Rollups say it of a link or account, raw clicks of a tag. */
export function surgeOf(
  deps: Pick<Deps, "pool" | "shortHost">,
  { account_id, link_id, tag_key, factor }: DueAlert,
  now: number,
): Promise<Finding> {
  const { pool } = deps;
  const scope = link_id === null ? accountScope(account_id) : linkScope(link_id, account_id);
  const bounds = boundsOf(now);
  const read = async (database: PoolClient) => {
    const { first } = await readHistory(database, scope);
    const series =
      tag_key === null
        ? await readSeries(database, scope, bounds)
        : await readFilteredSeries(
            database,
            deps,
            scope,
            [{ dimension: "tag", values: [tag_key], negated: false }],
            bounds,
            fromDatabase,
          );
    return surgeIn(
      series.map(({ clicks }) => clicks),
      now,
      factor ?? Number.POSITIVE_INFINITY,
      first,
    );
  };
  return tag_key === null ? inSnapshot(pool, read) : withReportSlot(pool, account_id, true, read);
}
