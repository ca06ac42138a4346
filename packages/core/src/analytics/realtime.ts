import { requires } from "./call.ts";
import type { PoolClient } from "pg";
import * as z from "zod";
import { timeOfId } from "../clicks/click-id.ts";
import { inSnapshot } from "../db/connection.ts";
import { reading } from "../rpc/call.ts";
import { fieldsOf } from "../kernel/validation/inputs.ts";
import { filterFields, filterNote, filtersOf } from "./filter.input.ts";
import { listedClickSchema } from "./listed-click.schema.ts";
import { type ClickRow, toListedClicks, withChannel, withLabels } from "./listed-clicks.ts";
import { type Selection, selectionOf } from "./questions/conditions.ts";
import { withReportSlot } from "./report-limiter.ts";
import { accountScope } from "./question.ts";
import { lastInBlocks, type StoredClick, storedColumns } from "./stored-clicks.ts";

const maxClicks = 20;
/** A filter is applied to this many of the last clicks, so that one that fits none does not read all of them. */
const maxSearched = 100_000;

export const realtime = requires("realtime")
  .meta({
    scope: "analytics:read",
    openapi: {
      method: "GET",
      path: "/v1/analytics/realtime",
      tags: ["Analytics"],
      summary: "See the last clicks",
      description: `A click appears within two seconds. A filter selects among the last ${maxSearched.toLocaleString("en")} clicks. ${filterNote}`,
      successDescription: "The last 20 clicks, newest first",
    },
  })
  .input(fieldsOf(filterFields).prefault({}))
  .output(z.array(listedClickSchema))
  .query(({ ctx, input }) => {
    const { deps, account } = reading(ctx);
    const filters = filtersOf(input);
    const isFiltered = filters.length > 0;
    const read = async (database: PoolClient) => {
      const selection = await selectionOf(database, accountScope(account.id), filters, deps.shortHost.host);
      const rows = await readLast(database, selection, isFiltered);
      return toListedClicks(database, deps, isFiltered ? rows : rows.map(withChannel));
    };
    return isFiltered ? withReportSlot(deps.pool, account.id, true, read) : inSnapshot(deps.pool, read);
  });

async function readLast(
  database: Pick<PoolClient, "query">,
  selection: Selection,
  isFiltered: boolean,
): Promise<ClickRow[]> {
  const { condition, kind, values } = selection;
  const last = (conditions: string, count: number, selected: string) =>
    `select ${selected} from clicks where ${conditions} and ${kind} order by id desc limit ${count}`;
  const all = "id, account_number, link_id, client_id, referrer_id, variant, campaign_id, bot_id, place_id";
  const { rows } = await database.query<StoredClick>({
    ...(!isFiltered && { name: "last-clicks" }),
    text: isFiltered
      ? `select ${storedColumns} from (${last("account_number = $1", maxSearched, all)}) t
         where ${condition} order by id desc limit ${maxClicks}`
      : last(condition, maxClicks, storedColumns),
    values: [...values],
  });
  const packed = await lastInBlocks(database, selection, {
    since: rows.length < maxClicks ? 0 : timeOfId(rows.at(-1)?.id ?? ""),
    searched: isFiltered ? maxSearched : maxClicks,
    wanted: maxClicks,
  });
  return (await withLabels(database, [...rows, ...packed], "desc")).slice(0, maxClicks);
}
