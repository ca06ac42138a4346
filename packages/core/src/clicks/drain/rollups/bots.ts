import { sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { dayMs } from "../../../kernel/time.ts";
import { timeIn } from "../../click-id.ts";
import type { Rollup } from "./rollup.ts";

/** Visits of bots by UTC day and by why they are bots, of links or of accounts. */
export function botsByDay(scope: "link" | "account"): Rollup {
  const table = `${scope}_bots`;
  const owner = `${scope}_id`;
  const exists = scope === "link" ? "" : " and account_id in (select id from users)";
  return {
    table,
    key: [owner, "day", "bot_id"],
    counts: ["bots"],
    add({ links, accounts, days, botIds }) {
      const sums = scope === "link" ? links : accounts;
      const rows = sums.flatMap((sum) =>
        sum
          .days()
          .flatMap((day) =>
            Array.from(
              day.bots(),
              ([bot, count]) => [sum.place, day.place, botIds.get(bot) ?? 0, count] as const,
            ),
          ),
      );
      const column = (at: 0 | 1 | 2 | 3) => ["int", sqlArray(rows.map((row) => row[at]))] as const;
      const { table: added, values } = sqlColumns(3, {
        owner: column(0),
        day: column(1),
        bot_id: column(2),
        bots: column(3),
      });
      return {
        name: `add-${table}`,
        // In the same order on every node, so that no two nodes wait for each other's rows.
        text: `insert into ${table} as r (${owner}, day, bot_id, bots)
               select ($1::uuid[])[owner], ($2::date[])[day], bot_id, bots from ${added} order by 1, 2, 3
               on conflict (${owner}, day, bot_id) do update set bots = r.bots + excluded.bots`,
        values: [sqlArray(sums.map(({ id }) => id)), sqlArray(days.map(({ date }) => date)), ...values],
      };
    },
    inMonth: ({ first, next }) => `day >= '${first}' and day < '${next}'${exists}`,
    expected: ({ partition }) => `
      select ${scope === "link" ? "link_id" : "u.id as account_id"},
        date '1970-01-01' + (${timeIn("c.id")} / ${dayMs})::int as day, bot_id, count(*) as bots
      from ${partition} c ${scope === "link" ? "" : "join users u on u.number = account_number"}
      where is_bot and bot_id is not null group by 1, 2, 3`,
  };
}
