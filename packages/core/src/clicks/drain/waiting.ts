import type { Pool } from "pg";
import { fileHeader, listSegments } from "../log/index.ts";

/** Bytes of a folder's click log that are not counted yet. */
export async function waitingBytes(pool: Pool, folder: string): Promise<number> {
  const segments = await listSegments(folder);
  const { rows } = await pool.query<{ id: string; position: string }>(
    "select id, position from click_segments where id = any($1)",
    [segments.map(({ id }) => id)],
  );
  const positions = new Map(rows.map(({ id, position }) => [id, Number(position)]));
  const countedOf = (id: string) => positions.get(id) ?? fileHeader.length;
  return segments.reduce((sum, { id, bytes }) => sum + Math.max(0, bytes - countedOf(id)), 0);
}
