import type { Base } from "../../db/base.ts";
import { listedClicks, withLabels } from "../listed-clicks.ts";
import { selectionOf } from "../questions/conditions.ts";
import type { Filters } from "../question.ts";
import { accountScope } from "../question.ts";
import { type StoredClick, storedColumns } from "../stored-clicks.ts";
import { idOfClick } from "./cursor.ts";
import type { NewClicks } from "./new-clicks.ts";
import type { LiveEvent } from "./stream.ts";

/** The events of new clicks that fit filters. */
export async function eventsOf(
  deps: Pick<Base, "pool" | "shortHost">,
  accountId: string,
  filters: Filters,
  { clicks, skipped }: NewClicks,
): Promise<LiveEvent[]> {
  if (clicks.length === 0) return [];
  const { pool, shortHost } = deps;
  const { condition, kind, values } = await selectionOf(
    pool,
    accountScope(accountId),
    filters,
    shortHost.host,
  );
  const { rows } = await pool.query<StoredClick & { xmin: string }>(
    `select ${storedColumns}, xmin from clicks
     where ${condition} and ${kind} and id = any ($${values.length + 1}::bigint[]) order by id`,
    [...values, clicks.map(({ id }) => id)],
  );
  const listed = await listedClicks(pool, deps, await withLabels(pool, rows, "asc"));
  // Two drains may have used the same id, in two transactions.
  const fitting = new Map(rows.map(({ xmin, id }, at) => [keyOfRow(xmin, id), listed[at]]));
  return [
    ...(skipped > 0 ? [{ name: "skipped", clicks: filters.length > 0 ? null : skipped } as const] : []),
    ...clicks.flatMap(({ xid, id }): LiveEvent[] => {
      const click = fitting.get(keyOfRow(xid, id));
      return click ? [{ name: "click", id: idOfClick(xid, id), click }] : [];
    }),
  ];
}

/** `xid` may lack its upper half, as it does in rows. */
const keyOfRow = (xid: string, id: string) => `${BigInt.asUintN(32, BigInt(xid))}-${id}`;
