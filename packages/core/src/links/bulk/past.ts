import type { PoolClient } from "pg";

/** What is known of a new link's time at another service. */
export interface Past {
  created_at?: Date | undefined;
  /** Clicks that were counted there and of which only the total is known */
  imported_clicks?: number | undefined;
}

/** Sets the totals of links; one that is larger already stays. */
export async function setImportedClicks(
  database: PoolClient,
  accountId: string,
  totals: readonly { id: string; imported_clicks?: number | undefined }[],
): Promise<void> {
  const known = totals.filter(({ imported_clicks = 0 }) => imported_clicks > 0);
  if (known.length === 0) return;
  await database.query(
    `update links set imported_clicks = total
     from unnest($2::uuid[], $3::bigint[]) as t (id, total)
     where links.id = t.id and account_id = $1 and imported_clicks < total`,
    [accountId, known.map(({ id }) => id), known.map(({ imported_clicks }) => imported_clicks)],
  );
}

/** Rows of new links with the time at which they were created elsewhere. */
export const createdThen = <Link extends { index: number; row: { created_at: Date } }>(
  links: readonly Link[],
  pastOf: (index: number) => Past,
): Link[] =>
  links.map((link) => {
    const { created_at = link.row.created_at } = pastOf(link.index);
    return { ...link, row: { ...link.row, created_at } };
  });
