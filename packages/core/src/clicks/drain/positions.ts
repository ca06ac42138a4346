import type { Database } from "../../db/statements.ts";

/** How far a segment is counted: to the byte offset `from`, and of the clicks before `until` those of the parts `done`. */
export interface Counted {
  from: number;
  /** A drain is counting in parts, or was when it ended, what is before this offset; null if none is */
  until: number | null;
  /** The bits of the parts that are counted */
  done: number;
}

/** What the database says of segments that it does not know */
export const nothingCounted: Counted = { from: 0, until: null, done: 0 };

/** Reads how far segments are counted; those that are not counted at all are left out. */
export async function positionsOf(
  database: Database,
  segments: readonly string[],
): Promise<ReadonlyMap<string, Counted>> {
  if (segments.length === 0) return new Map();
  const { rows } = await database.query<{
    id: string;
    position: string;
    until: string | null;
    done: string | null;
  }>({
    name: "positions-of-segments",
    // A backup reads databases of earlier versions too, which have no parts.
    text: `select id, position, to_jsonb(s) ->> 'parts_until' as until, to_jsonb(s) ->> 'parts_done' as done
           from click_segments s where id = any($1)`,
    values: [segments],
  });
  return new Map(
    rows.map(({ id, position, until, done }) => {
      const counted = countedTo(Number(position));
      // A version that knows no parts may have counted past them.
      const isOpen = Number(until) > counted.from;
      return [id, isOpen ? { ...counted, until: Number(until), done: Number(done) } : counted];
    }),
  );
}

/** All before the offset is counted, and nothing after it. */
export const countedTo = (from: number): Counted => ({ ...nothingCounted, from });
