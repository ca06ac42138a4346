import type { Pool, PoolClient } from "pg";
import type { ImportPosition } from "./imports.types.ts";

/** See HistoryImporter.positionsOf. */
export async function positionsOf(
  pool: Pool,
  source: string,
  linkIds: readonly string[],
): Promise<Map<string, ImportPosition>> {
  const { rows } = await pool.query<{ link_id: string; position: string; last_at: string }>(
    `select link_id, position, extract(epoch from last_at) * 1000 as last_at from import_positions
     where source = $1 and link_id = any($2::uuid[])`,
    [source, linkIds],
  );
  return new Map(
    rows.map(({ link_id, position, last_at }) => [
      link_id,
      { position: Number(position), last_at: Number(last_at) },
    ]),
  );
}

/** The step of one link from one position to another. */
export interface Step {
  link_id: string;
  before: number;
  after: ImportPosition;
}

/**
 * Moves the positions of an account's links. Returns false if one of them is not at its `before`, or its link is gone; the
 * transaction is to be rolled back then. Another import that moves the same links is waited for.
 */
export async function advance(
  database: PoolClient,
  { accountId, source, steps }: { accountId: string; source: string; steps: readonly Step[] },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into import_positions as p (link_id, source, position, last_at)
     select id, $2, after, last_at
     from unnest($3::uuid[], $4::bigint[], $5::bigint[], $6::timestamptz[]) as t (link_id, before, after, last_at)
     join links on links.id = t.link_id and account_id = $1
     where before = 0 or exists (
       select from import_positions e where e.link_id = t.link_id and source = $2 and position = before)
     order by id
     on conflict (link_id, source) do update set position = excluded.position, last_at = excluded.last_at
       where p.position = ($4::bigint[])[array_position($3::uuid[], p.link_id)]`,
    [
      accountId,
      source,
      steps.map(({ link_id }) => link_id),
      steps.map(({ before }) => before),
      steps.map(({ after }) => after.position),
      steps.map(({ after }) => new Date(after.last_at)),
    ],
  );
  return rowCount === steps.length;
}
