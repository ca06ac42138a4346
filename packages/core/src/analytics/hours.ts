import type { PoolClient } from "pg";
import { hourMs } from "../kernel/time.ts";
import { timestamps } from "./sql.ts";
import type { SignedSums } from "./value-sums.ts";
import type { BreakdownPlan, Range, RawPart } from "./window-plan.ts";

interface HourRow {
  /** Milliseconds since the epoch */
  start: string;
  packed: Buffer;
}

/** Reads the sums of hours at the edges of a window, and leaves of each edge only what none of them has. */
export async function readHours(
  database: Pick<PoolClient, "query">,
  accountId: string,
  edges: BreakdownPlan["raw"],
): Promise<{ hours: SignedSums[]; raw: BreakdownPlan["raw"] }> {
  const parts = [edges.start, edges.end];
  if (parts.every(({ range }) => wholeHours(range).length === 0)) return { hours: [], raw: edges };
  const bounds = parts.map(({ range }) => timestamps(range));
  // Right while its clicks are those of its quarter hours: a late one would be missing.
  const { rows } = await database.query<HourRow>({
    name: "account-hour-sums",
    text: `select extract(epoch from start) * 1000 as start, packed
           from unnest($2::timestamptz[], $3::timestamptz[]) as r (first, until), lateral (
             select * from account_hour_sums where account_id = $1 and start >= first and start + interval '1 hour' <= until
           ) h
           where clicks = (
             select coalesce(sum(q.clicks), 0) from account_quarter_hours q
             where q.account_id = $1 and q.start >= h.start and q.start < h.start + interval '1 hour'
           )`,
    values: [accountId, ...[0, 1].map((at) => bounds.map((range) => range[at]))],
  });
  const sums = new Map(rows.map(({ start, packed }) => [Number(start), packed]));
  const [start, end] = parts.map((part) => without(sums, part));
  return {
    hours: [...(start?.hours ?? []), ...(end?.hours ?? [])],
    raw: { start: start?.left ?? edges.start, end: end?.left ?? edges.end },
  };
}

function wholeHours([from, to]: Range): number[] {
  const first = Math.ceil(from / hourMs);
  const count = Math.max(0, Math.floor(to / hourMs) - first);
  return Array.from({ length: count }, (_, at) => (first + at) * hourMs);
}

/** What is left is one range: hours inside of it are counted with it. */
function without(
  sums: ReadonlyMap<number, Buffer>,
  { sign, range: [from, to] }: RawPart,
): { hours: SignedSums[]; left: RawPart } {
  let [first, last] = [to, from];
  const isKnown = (time: number) => time % hourMs === 0 && time + hourMs <= to && sums.has(time);
  for (let time = from; time < to; ) {
    const next = Math.min((Math.floor(time / hourMs) + 1) * hourMs, to);
    if (!isKnown(time)) {
      first = Math.min(first, time);
      last = next;
    }
    time = next;
  }
  const hours = wholeHours([from, to]).flatMap((time): SignedSums[] => {
    const packed = sums.get(time);
    return packed && (time < first || time >= last) ? [{ sign, packed }] : [];
  });
  return { hours, left: { sign, range: first < last ? [first, last] : [to, to] } };
}
