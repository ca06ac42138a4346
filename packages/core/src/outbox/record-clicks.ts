import type { PoolClient } from "pg";
import { type ClickedLink, countInDeletions } from "./deletions.ts";

/** A stored click of a person, its link, and the number of its account. */
export interface StoredClick {
  id: string;
  link: string;
  account: number;
}

/**
 * Records clicks for webhooks, in the transaction that stores them: one row per account, and none for accounts
 * without a webhook subscribed to clicks. Those of deleted links become part of the event of the deletion. `numbers`
 * are those of the accounts that may have clicks; most have no webhook, so they are only requested then.
 */
export async function recordClicks(
  database: Pick<PoolClient, "query">,
  numbers: readonly number[],
  clicksOf: () => readonly StoredClick[],
  linksOf: () => readonly ClickedLink[],
  now: Date,
): Promise<void> {
  if (numbers.length === 0) return;
  const { rows } = await database.query<{ id: string; number: number; clicked: boolean; deleted: boolean }>({
    name: "accounts-that-want-clicks",
    text: `select u.id, u.number, bool_or('link.clicked' = any (w.events)) as clicked,
             bool_or(w.events && '{link.deleted,link.limit_reached}') as deleted
           from webhooks w join workspaces u on u.id = w.account_id
           where w.active and w.events && '{link.clicked,link.deleted,link.limit_reached}' and u.number = any ($1::int[])
           group by u.id, u.number`,
    values: [numbers],
  });
  const deleting = rows.filter(({ deleted }) => deleted).map(({ id }) => id);
  const numbered = deleting.length > 0 ? await countInDeletions(database, deleting, linksOf()) : null;
  const clicked = rows.filter((row) => row.clicked);
  if (clicked.length === 0) return;
  const idsOf = new Map(clicked.map(({ number }) => [number, [] as string[]]));
  for (const { id, link, account } of clicksOf()) if (!numbered?.has(link)) idsOf.get(account)?.push(id);
  const noted = clicked
    .map(({ id, number }) => ({ account_id: id, clicks: idsOf.get(number) ?? [] }))
    .filter(({ clicks }) => clicks.length > 0);
  if (noted.length === 0) return;
  await database.query({
    name: "add-webhook-clicks",
    text: `insert into webhook_clicks (account_id, at, clicks)
           select account_id, $1, array(select jsonb_array_elements_text(clicks)::bigint)
           from jsonb_to_recordset($2) as noted (account_id uuid, clicks jsonb)`,
    values: [now, JSON.stringify(noted)],
  });
}
