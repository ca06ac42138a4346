import { deleteOld } from "../db/batches.ts";
import type { CallDeps } from "../rpc/call.ts";
import { dayMs } from "../kernel/time.ts";

/** Changes of an account; the oldest ones beyond are deleted. Bytes are those that its plan includes for links. */
const maxChanges = 100_000;
/** How much is kept when an account has too much, so that it is not trimmed again soon */
const keptShare = 0.9;
/** Accounts that changed something in this time are looked at; runs are about a minute apart. */
const recentMs = 10 * 60_000;

type TrimDeps = Pick<CallDeps, "pool" | "clock" | "historyDays" | "plans">;

/** Counts new changes of many links, and deletes changes that are too old, or too many. Safe on several nodes at once. */
export async function trimHistory(deps: TrimDeps): Promise<void> {
  await countLinks(deps);
  await deleteOld(deps, { table: "changes", column: "at", age: `${deps.historyDays} days` });
  for (const account of await accountsWithTooMuch(deps)) await deleteSurplus(deps, account);
}

async function countLinks({ pool }: TrimDeps): Promise<void> {
  await pool.query(
    `update changes set links = t.links, bytes = t.bytes
     from (
       select c.id, count(l.link_id) as links, coalesce(sum(l.bytes), 0) as bytes
       from changes c left join link_changes l on l.change_id = c.id
       where c.links is null group by c.id
     ) t where changes.id = t.id and changes.links is null`,
  );
}

interface Surplus {
  id: string;
  maxBytes: number;
}

async function accountsWithTooMuch({ pool, clock, plans }: TrimDeps): Promise<Surplus[]> {
  const bytes = (["free", "pro", "enterprise"] as const).map(
    (plan) => [plan, plans[plan].limits.stored_megabytes * 1e6] as const,
  );
  const { rows } = await pool.query<Surplus>({
    name: "accounts-with-too-many-changes",
    text: `select u.id, ($2::jsonb ->> u.plan::text)::float8 as "maxBytes"
           from changes c join workspaces u on u.id = c.account_id
           where c.account_id in (select account_id from changes where at > $1)
           group by u.id having count(*) > ${maxChanges} or sum(c.bytes) > ($2::jsonb ->> u.plan::text)::float8`,
    values: [new Date(clock().getTime() - recentMs), JSON.stringify(Object.fromEntries(bytes))],
  });
  return rows;
}

/** Records how far back the account's history is complete. */
async function deleteSurplus({ pool }: TrimDeps, { id, maxBytes }: Surplus): Promise<void> {
  await pool.query(
    `with counted as (
       select id, sum(bytes) over newest as bytes, row_number() over newest as place
       from changes where account_id = $1 window newest as (order by at desc, id desc)
     ), deleted as (
       delete from changes where id in (select id from counted where bytes > $2 or place > $3) returning at
     )
     update workspaces set history_from = greatest(history_from, (select max(at) from deleted))
     where id = $1 and exists (select from deleted)`,
    [id, maxBytes * keptShare, maxChanges * keptShare],
  );
}

/** The time before which changes of an account may be missing. */
export async function completeSince(
  { pool, clock, historyDays }: Pick<CallDeps, "pool" | "clock" | "historyDays">,
  accountId: string,
): Promise<Date> {
  const { rows } = await pool.query<{ history_from: string | null }>(
    "select history_from from workspaces where id = $1",
    [accountId],
  );
  const oldest = clock().getTime() - historyDays * dayMs;
  return new Date(Math.max(oldest, Date.parse(rows[0]?.history_from ?? "") || 0));
}
