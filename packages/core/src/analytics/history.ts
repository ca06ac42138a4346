import type { PoolClient } from "pg";
import type { AnalyticsScope } from "./series.ts";

export interface History {
  /** The quarter hour of the first click, in milliseconds since the epoch; null if there is none */
  first: number | null;
  /** False if the raw clicks of a time were dropped */
  rawIsKept: (time: number) => boolean;
  /** The time before which raw clicks were dropped, if there were clicks; otherwise null */
  rawSince: number | null;
}

/** Reads what is needed before a window can be planned. */
export async function readHistory(
  database: Pick<PoolClient, "query">,
  { kind, id }: AnalyticsScope,
): Promise<History> {
  const { rows } = await database.query<{ first: string | null; dropped: string }>({
    name: `${kind}-history`,
    text: `select
             (select extract(epoch from start) * 1000 from ${kind}_quarter_hours
              where ${kind}_id = $1 and clicks > 0 order by start limit 1) as first,
             (select coalesce(string_agg(to_char(month, 'YYYY-MM'), ','), '') from click_months_dropped) as dropped`,
    values: [id],
  });
  const { first: text = null, dropped = "" } = rows[0] ?? {};
  const first = text === null ? null : Number(text);
  const months = new Set(dropped.split(","));
  const since = endOfMonth([...months].toSorted().at(-1) ?? "");
  return {
    first,
    rawIsKept: (time) => !months.has(new Date(time).toISOString().slice(0, 7)),
    rawSince: first !== null && since !== null && first < since ? since : null,
  };
}

/** The end of a month that is written YYYY-MM; null for "". */
function endOfMonth(text: string): number | null {
  const [year = 0, month = 0] = text.split("-").map(Number);
  return text === "" ? null : Date.UTC(year, month);
}
