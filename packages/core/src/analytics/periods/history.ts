import type { Database } from "../../db/statements.ts";
import { readPacked } from "../../clicks/packed/sums.ts";
import { quarterHourMs } from "../../kernel/time.ts";
import type { AnalyticsScope } from "../question.ts";

export interface History {
  /** The quarter hour of the first click, in milliseconds since the epoch; null if there is none */
  first: number | null;
  /** False if the raw clicks of a time were dropped */
  rawIsKept: (time: number) => boolean;
  /** The time before which raw clicks were dropped, if there were clicks; otherwise null */
  rawSince: number | null;
}

/** Reads the facts that planning a window needs. */
export async function readHistory(database: Database, { kind, id }: AnalyticsScope): Promise<History> {
  const { rows } = await database.query<{ first: string | null; dropped: string } & FirstDay>({
    name: `${kind}-history`,
    text: `select first, dropped, day, packed
           from (
             select
               (select extract(epoch from start) * 1000 from ${kind}_quarter_hours
                where ${kind}_id = $1 and clicks > 0 order by start limit 1) as first,
               (select coalesce(string_agg(to_char(month, 'YYYY-MM'), ','), '') from click_months_dropped) as dropped
           ) h left join (${kind === "link" ? firstDay : "select null as day, null as packed"}) d on true`,
    values: [id],
  });
  const { first: text = null, dropped = "", ...day } = rows[0] ?? {};
  const first = earliest(text === null ? null : Number(text), firstOf(day));
  const months = new Set(dropped.split(","));
  const since = endOfMonth([...months].toSorted().at(-1) ?? "");
  return {
    first,
    rawIsKept: (time) => !months.has(new Date(time).toISOString().slice(0, 7)),
    rawSince: first !== null && since !== null && first < since ? since : null,
  };
}

interface FirstDay {
  /** Milliseconds since the epoch */
  day: string | null;
  packed: Buffer | null;
}

/** SQL: a link's first day with clicks. */
const firstDay = `
  select extract(epoch from day) * 1000 as day, packed from link_days
  where link_id = $1 and clicks > 0 order by link_days.day limit 1`;

/** The first quarter hour of a day with clicks, in milliseconds since the epoch; null if the day has none. */
function firstOf({ day = null, packed = null }: Partial<FirstDay>): number | null {
  let first: number | null = null;
  if (day === null || packed === null) return first;
  readPacked(packed, {
    quarterHour(quarter, clicks) {
      if (clicks > 0) first = earliest(first, Number(day) + quarter * quarterHourMs);
    },
  });
  return first;
}

const earliest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

/** The end of a month that is written YYYY-MM; null for "". */
function endOfMonth(text: string): number | null {
  const [year = 0, month = 0] = text.split("-").map(Number);
  return text === "" ? null : Date.UTC(year, month);
}
