import type { PoolClient } from "pg";

/** A stored click of a person, and the number of its account. */
export interface StoredClick {
  id: string;
  account: number;
}

/**
 * Notes clicks for webhooks, in the transaction that stores them: one row an account, and none for accounts without a webhook
 * that wants clicks. `numbers` are those of the accounts that may have clicks; most have no webhook, so these are asked for then.
 */
export async function recordClicks(
  database: Pick<PoolClient, "query">,
  numbers: readonly number[],
  clicksOf: () => readonly StoredClick[],
  now: Date,
): Promise<void> {
  if (numbers.length === 0) return;
  const { rows } = await database.query<{ id: string; number: number }>({
    name: "accounts-that-want-clicks",
    text: `select distinct u.id, u.number from webhooks w join users u on u.id = w.account_id
           where w.active and 'link.clicked' = any (w.events) and u.number = any ($1::int[])`,
    values: [numbers],
  });
  if (rows.length === 0) return;
  const idsOf = new Map(rows.map(({ number }) => [number, [] as string[]]));
  for (const { id, account } of clicksOf()) idsOf.get(account)?.push(id);
  const noted = rows
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
