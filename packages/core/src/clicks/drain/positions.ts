import type { Pool, PoolClient } from "pg";
import type { Database } from "../../db/statements.ts";
import { framesIn, type RawClick } from "../log/format.ts";
import { decodeFrame } from "../log/frames.ts";

/** How far a segment is counted: to the byte offset `from`, and of the clicks before `until` those of the parts `done`. */
export interface Counted {
  from: number;
  /** The offset up to which a drain is, or was, counting in parts; null if none is */
  until: number | null;
  /** The bits of the parts that are counted */
  done: number;
}

/** The position of segments that the database does not know */
export const nothingCounted: Counted = { from: 0, until: null, done: 0 };

/** Reads how far segments are counted; those that are not counted at all are left out. */
export async function positionsOf(
  database: Database,
  segments: readonly string[],
): Promise<ReadonlyMap<string, Counted>> {
  if (segments.length === 0) return new Map();
  const { rows } = await database.query<Counted & { id: string }>({
    name: "positions-of-segments",
    text: `select id, position::float8 as "from", parts_until::float8 as until, parts_done as done
           from click_segments where id = any($1)`,
    values: [segments],
  });
  return new Map(rows.map(({ id, ...counted }) => [id, counted]));
}

/** Everything before the offset is counted, and nothing after it. */
export const countedTo = (from: number): Counted => ({ ...nothingCounted, from });

/** The bit of a part in a set of parts. */
export type PartBit = number;

/** How many parts a batch is split into; a part has all clicks of its links. */
const count = 8;

/** Splits clicks by their links; the same way whenever the same clicks are read. Parts without clicks are left out. */
export function splitByLink(clicks: readonly RawClick[]): Map<PartBit, RawClick[]> {
  const split = Array.from({ length: count }, (): RawClick[] => []);
  for (const click of clicks) split[partOf(click.link_id)]?.push(click);
  const withBits = split.map((part, at) => [1 << at, part] as const);
  return new Map(withBits.filter(([, part]) => part.length > 0));
}

/** By the value of an id's last hexadecimal digit, which is random; `Number.parseInt` takes several times as long. */
function partOf(id: string): number {
  const code = id.charCodeAt(id.length - 1);
  // Letters, which are 49 behind the digits, have bit 64.
  return (code + (code >> 6)) % count;
}

/**
 * Notes in the transaction that stores a batch how far its source is counted. Returns false if another process has counted the
 * batch already; nothing is stored then. It may be called again after a failure.
 */
export type Advance = (database: PoolClient) => Promise<boolean>;

/** Which bytes of a segment a batch was read from. */
export interface Progress {
  segment: string;
  from: number;
  to: number;
  /** Whether the segment's file still exists */
  exists: () => Promise<boolean>;
  /** If the clicks are one of the parts that are stored one by one: its bit, and the bits of all parts that have clicks */
  part?: { bit: PartBit; allBits: number };
}

/**
 * Moves a segment's position, or notes that a part of a batch is counted: the last one moves it. A segment without a position is
 * either new, or was counted to its end and deleted; in that case its file was deleted first.
 */
export function advanceSegment({ segment, from, to, exists, part }: Progress): Advance {
  const { bit, allBits } = part ?? { bit: 0, allBits: 0 };
  const values = [segment, from, to, bit, allBits];
  const isLast = "s.parts_done | $4::int = $5::int";
  const set = `position = case when ${isLast} then $3::bigint else s.position end,
    parts_until = case when ${isLast} then null else $3::bigint end,
    parts_done = case when ${isLast} then 0 else s.parts_done | $4::int end`;
  // Any other part is from a version that splits differently.
  const isMissing = "s.parts_done & $4::int = 0 and s.parts_done & ~$5::int = 0";
  const where = `s.position = $2::bigint and coalesce(s.parts_until, $3::bigint) = $3::bigint and ${isMissing}`;
  const first = `insert into click_segments as s (id, position, parts_until, parts_done)
    values ($1, case when $4::int = $5::int then $3::bigint else 0 end,
      case when $4::int = $5::int then null else $3::bigint end, case when $4::int = $5::int then 0 else $4::int end)
    on conflict (id) do update set ${set} where ${where}`;
  const next = `update click_segments s set ${set} where id = $1 and ${where}`;
  return async (database) => {
    const { rowCount } = await database.query(
      from === 0
        ? { name: "begin-segment", text: first, values }
        : { name: "advance-segment", text: next, values },
    );
    return rowCount === 1 && (from > 0 || (await exists()));
  };
}

/**
 * Counts the clicks in a segment's bytes, which start at the offset `from` of its file, that are not counted. `end` is where
 * the last whole frame ends.
 */
export function uncountedIn(bytes: Buffer, { from, until, done }: Counted): { clicks: number; end: number } {
  const begun: RawClick[] = [];
  const frames = framesIn(bytes, from, (start, end) => {
    if (until !== null && from + end <= until) decodeFrame(bytes, start, end, begun);
  });
  let { clicks } = frames;
  for (const [bit, some] of splitByLink(begun)) if ((done & bit) !== 0) clicks -= some.length;
  return { clicks, end: frames.end };
}

/** Deletes positions that were only marked before `time`, and returns how many. */
export async function deleteFinishedPositions(pool: Pool, time: Date): Promise<number> {
  const { rowCount } = await pool.query("delete from click_segments where finished_at < $1", [time]);
  return rowCount ?? 0;
}

/** Deletes a position; where a click stream is used, which may have entries of the segment, it is only marked. */
export async function finishPosition(pool: Pool, id: string): Promise<void> {
  await pool.query({
    name: "finish-segment",
    text: `with marked as (
             update click_segments set finished_at = now()
             where id = $1 and exists (select from click_stream where holder is not null) returning id
           )
           delete from click_segments where id = $1 and not exists (select from marked)`,
    values: [id],
  });
}
