import type { PoolClient, QueryConfig } from "pg";
import type { PartBit } from "../prepare/parts.ts";

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
}

/** The same for a batch whose parts are stored one by one. */
export interface PartProgress extends Progress {
  /** The bits of all parts that have clicks */
  all: number;
}

/**
 * Moves a segment's position. A segment without one is either new, or was counted to its end and deleted; in that case
 * its file was deleted first.
 */
export const advanceSegment = ({ segment, from, to, exists }: Progress): Advance =>
  advancing(from, exists, {
    first: {
      name: "begin-segment",
      text: "insert into click_segments (id, position) values ($1, $2) on conflict do nothing",
      values: [segment, to],
    },
    next: {
      name: "advance-segment",
      text: `update click_segments set position = $2, parts_until = null, parts_done = 0
             where id = $1 and position = $3 and coalesce(parts_until, 0) <= position`,
      values: [segment, to, from],
    },
  });

/** Notes that a part of a batch is counted; the last one moves the segment's position. */
export function advancePart({ segment, from, to, exists, all }: PartProgress, bit: PartBit): Advance {
  const values = [segment, from, to, bit, all];
  // A version that knows no parts may have counted past them.
  const isOpen = "coalesce(s.parts_until, 0) > s.position";
  const done = `(case when ${isOpen} then s.parts_done else 0 end)`;
  const isLast = `${done} | $4::int = $5::int`;
  const set = `position = case when ${isLast} then $3::bigint else s.position end,
    parts_until = case when ${isLast} then null else $3::bigint end,
    parts_done = case when ${isLast} then 0 else ${done} | $4::int end`;
  // A part that is not one of these is of a version that splits in another way.
  const isMissing = `${done} & $4::int = 0 and ${done} & ~$5::int = 0`;
  const where = `s.position = $2::bigint and (not ${isOpen} or s.parts_until = $3::bigint) and ${isMissing}`;
  return advancing(from, exists, {
    first: {
      name: "begin-parts",
      text: `insert into click_segments as s (id, position, parts_until, parts_done)
             values ($1, case when $4::int = $5::int then $3::bigint else 0 end,
               case when $4::int = $5::int then null else $3::bigint end, case when $4::int = $5::int then 0 else $4::int end)
             on conflict (id) do update set ${set} where ${where}`,
      values,
    },
    next: {
      name: "advance-parts",
      text: `update click_segments s set ${set} where id = $1 and ${where}`,
      values,
    },
  });
}

const advancing =
  (
    from: number,
    exists: Progress["exists"],
    { first, next }: Record<"first" | "next", QueryConfig>,
  ): Advance =>
  async (database) => {
    const { rowCount } = await database.query(from === 0 ? first : next);
    return rowCount === 1 && (from > 0 || (await exists()));
  };
