import type { Database } from "../../db/statements.ts";
import { hourMs } from "../../kernel/time.ts";
import type { AnalyticsScope } from "../question.ts";
import { type BreakdownPlan, type Range, type RawPart, timestamps } from "../periods/plan.ts";
import type { SignedSums } from "./value-sums.ts";

interface HourRow {
  /** Milliseconds since the epoch */
  start: string;
  packed: Buffer;
  bot_ids: number[];
  bot_counts: number[];
}

/** Visits of bots with the same reason, which are added or, if negative, subtracted. */
export interface SignedBots {
  botId: number;
  bots: number;
}

/** The part of a window's edges that hours cover. */
export interface Hours {
  sums: SignedSums[];
  bots: SignedBots[];
  /** The part that none of them covers */
  rest: BreakdownPlan["raw"];
}

/** Reads the sums of an account's hours at the edges of a window. */
export async function readHours(
  database: Database,
  { kind, id }: AnalyticsScope,
  edges: BreakdownPlan["raw"],
): Promise<Hours> {
  const parts = [edges.start, edges.end];
  if (kind === "link" || parts.every(({ range }) => wholeHours(range).length === 0))
    return { sums: [], bots: [], rest: edges };
  const bounds = parts.map(({ range }) => timestamps(range));
  // Correct while its visits equal those of its quarter hours: a late one would be missing.
  const { rows } = await database.query<HourRow>({
    name: "account-hour-sums",
    text: `select extract(epoch from start) * 1000 as start, packed, bot_ids, bot_counts
           from unnest($2::timestamptz[], $3::timestamptz[]) as r (first, until), lateral (
             select * from account_hour_sums where account_id = $1 and start >= first and start + interval '1 hour' <= until
           ) h
           where (clicks, bots) = (
             select coalesce(sum(q.clicks), 0), coalesce(sum(q.bots), 0) from account_quarter_hours q
             where q.account_id = $1 and q.start >= h.start and q.start < h.start + interval '1 hour'
           )`,
    values: [id, ...[0, 1].map((at) => bounds.map((range) => range[at]))],
  });
  const known = new Map(rows.map((row) => [Number(row.start), row]));
  const [start, end] = [splitEdge(edges.start, known), splitEdge(edges.end, known)];
  const hours = [...start.hours, ...end.hours];
  return {
    sums: hours.map(({ sign, row: { packed } }) => ({ sign, packed })),
    bots: hours.flatMap(({ sign, row }) =>
      row.bot_ids.map((botId, at) => ({ botId, bots: sign * (row.bot_counts[at] as number) })),
    ),
    rest: { start: start.rest, end: end.rest },
  };
}

function wholeHours([from, to]: Range): number[] {
  const first = Math.ceil(from / hourMs);
  const count = Math.max(0, Math.floor(to / hourMs) - first);
  return Array.from({ length: count }, (_, at) => (first + at) * hourMs);
}

/** Splits an edge into known hours and the rest. That is one range: known hours inside of it are counted with it. */
function splitEdge(
  { sign, range: [from, to] }: RawPart,
  known: ReadonlyMap<number, HourRow>,
): { hours: { sign: 1 | -1; row: HourRow }[]; rest: RawPart } {
  let [first, last] = [to, from];
  const isKnown = (time: number) => time % hourMs === 0 && time + hourMs <= to && known.has(time);
  for (let time = from; time < to; ) {
    const next = Math.min((Math.floor(time / hourMs) + 1) * hourMs, to);
    if (!isKnown(time)) {
      first = Math.min(first, time);
      last = next;
    }
    time = next;
  }
  const hours = wholeHours([from, to]).flatMap((time) => {
    const row = known.get(time);
    return row && (time < first || time >= last) ? [{ sign, row }] : [];
  });
  return { hours, rest: { sign, range: first < last ? [first, last] : [to, to] } };
}
