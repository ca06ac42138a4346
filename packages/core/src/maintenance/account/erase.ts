import { transactionOn } from "../../db/connection.ts";
import { tablesThat } from "../../schema/tables.ts";
import type { AnalyticsDeps } from "../../analytics/call.ts";
import type { PoolClient } from "pg";
import { withLock } from "../../db/lease.ts";
import { withDedicatedPool } from "../../db/pool.ts";
import type { Copy } from "../../clicks/clickhouse/copy.ts";
import { notFound } from "../../kernel/errors.ts";
import { coreEvent } from "../../kernel/events.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { eraseClicks } from "./erase-clicks.ts";
import { inBatches } from "../../db/batches.ts";

type EraseDeps = Pick<AnalyticsDeps, "databaseUrl" | "pool" | "clock" | "onEvent" | "clickhouse">;

/** Any 64-bit number, the same for every node of a service: one node erases at a time. */
const eraseLock = 7_215_083_018;

/**
 * Erases all accounts that are due; returns how many. Each account is gone for its owner in one transaction; the rest
 * follows in small ones. A crash in between leaves the account marked, and the next call continues.
 */
export async function eraseDueAccounts(deps: EraseDeps): Promise<number> {
  const { rowCount } = await deps.pool.query("select from workspaces where deletes_at <= $1 limit 1", [
    deps.clock(),
  ]);
  if (rowCount === 0) return 0;
  return eraseAlone(deps);
}

/** Erases an account without a grace period, after all that are due; 404 if there is none. */
export async function eraseAccount(deps: EraseDeps, id: string): Promise<void> {
  const { rowCount } = await deps.pool.query(
    "update workspaces set deletes_at = least($2::timestamptz, now()) where id = $1",
    [idOrNull(id), deps.clock()],
  );
  if (rowCount === 0) throw notFound("Account");
  await eraseAlone(deps, { wait: true });
}

/** Does nothing if another node is erasing, unless it has to wait for that. */
async function eraseAlone(
  { databaseUrl, clock, onEvent, clickhouse }: EraseDeps,
  options: { wait?: boolean } = {},
): Promise<number> {
  let erased = 0;
  const eraseAll = async (database: PoolClient) => {
    for (;;) {
      const account = await beginErasing(database, clock());
      if (account === null) return;
      await eraseRows(database, account, clickhouse);
      onEvent(coreEvent("account_erased", { account: account.id }));
      erased += 1;
    }
  };
  await withDedicatedPool(databaseUrl, (pool) => withLock(pool, eraseLock, eraseAll, options));
  return erased;
}

/** The row of the account is last: until then, the account is still marked. */
async function eraseRows(
  database: PoolClient,
  account: { id: string; number: number },
  clickhouse: Copy | null,
): Promise<void> {
  await eraseClicks(database, account);
  // After the database's own, so that no copy is made later.
  await clickhouse?.erase(account.number);
  await releaseDomains(database, account.id);
  for (const table of [
    "changes",
    "webhook_events",
    "webhook_clicks",
    "links",
    "deleted_links",
    "buckets",
    "domains",
  ]) {
    await inBatches(
      database,
      `delete from ${table} where id in (select id from ${table} where account_id = $1 order by id limit $2)`,
      [account.id],
    );
  }
  // Hosts of its destinations.
  await database.query(
    "delete from health_hosts h where not exists (select from link_health where link_health.host = h.host)",
  );
  await database.query("delete from workspaces where id = $1", [account.id]);
}

/**
 * Ends the sharing of domains. Those on which other workspaces have links remain for them, deleted and without an account, as the
 * name in their short URLs.
 */
async function releaseDomains(database: PoolClient, id: string): Promise<void> {
  const unset = `shared_with = '[]', status = 'pending', verified_at = null, deleted_at = coalesce(deleted_at, now()), challenge = '',
    root_url = null, not_found_url = null, expired_url = null, apple_app_site_association = null, assetlinks = null, import_from = null`;
  await database.query(`update domains set ${unset} where account_id = $1`, [id]);
  await database.query(
    `update domains d set account_id = null where account_id = $1
       and exists (select from links where domain_id = d.id and account_id <> $1)`,
    [id],
  );
  await database.query("update domains set shared_with = shared_with - $1 where shared_with ? $1", [id]);
}

/**
 * Takes an account that is due, in one transaction: from then on no one can sign in to it, and its address is free.
 * An account whose erasing was interrupted comes first. Null if there is none.
 */
export const beginErasing = (
  database: PoolClient,
  now: Date,
): Promise<{ id: string; number: number } | null> =>
  transactionOn(database, async () => {
    const { rows } = await database.query<{ id: string; number: number; address: string | null }>(
      // The earlier of both clocks, so that a wrong one erases nothing too early.
      `with due as (
         select id, email from workspaces where deletes_at <= least($1::timestamptz, now())
         order by erased_at nulls last, deletes_at limit 1 for update)
       update workspaces w set erased_at = $1, email = case when personal then w.id || '@erased.invalid' end, name = ''
       from due where w.id = due.id
       returning w.id, number, due.email as address`,
      [now],
    );
    const [account] = rows;
    if (account) {
      for (const table of tablesThat(({ credential }) => credential === true)) {
        await database.query(`delete from ${table} where account_id = $1`, [account.id]);
      }
      for (const table of ["email_sign_ins", "mail_refusals"])
        await database.query(`delete from ${table} where address = $1`, [account.address]);
      await leaveWorkspaces(database, account.id, now);
      // Sign-ins of programs, in progress or just ended, have no connection to be deleted with, but name the account.
      await database.query(
        "delete from oauth_tokens where connection_id is null and strpos(payload::text, $1) > 0",
        [account.id],
      );
    }
    return account ? { id: account.id, number: account.number } : null;
  });

/**
 * Ends the memberships of a person who is being erased. A workspace of theirs goes to the member with the largest role, and
 * then the one who joined first; without another member, it is erased, too.
 */
async function leaveWorkspaces(database: PoolClient, userId: string, now: Date): Promise<void> {
  const { rows } = await database.query<{ workspace_id: string; heir: string | null }>(
    `with gone as (delete from members where user_id = $1 and workspace_id <> $1 returning workspace_id, role)
     select workspace_id, (
       select user_id from members m where m.workspace_id = gone.workspace_id and user_id <> $1
       order by array_position(array['admin', 'editor', 'viewer'], m.role), joined_at limit 1) as heir
     from gone where role = 'owner'`,
    [userId],
  );
  for (const { workspace_id, heir } of rows)
    await (heir === null
      ? database.query("update workspaces set deletes_at = $2 where id = $1", [workspace_id, now])
      : database.query("update members set role = 'owner' where workspace_id = $1 and user_id = $2", [
          workspace_id,
          heir,
        ]));
}
