import { inBatches } from "../../db/batches.ts";
import type { Base } from "../../db/base.ts";

/** Programs that have registered but were never let in; the oldest make room. */
const maxUnusedClients = 20_000;

/**
 * What has expired, an hour later so that clocks may differ. A program that registered itself is forgotten a day later if
 * nobody let it in, otherwise half a year after the last time.
 */
const expired = [
  `delete from oauth_tokens where hash in (
     select hash from oauth_tokens where expires_at < $1::timestamptz - interval '1 hour'
     limit $2 for update skip locked)`,
  `delete from oauth_connections where id in (
     select id from oauth_connections c where created_at < $1::timestamptz - interval '1 day'
       and not exists (select from oauth_tokens t where t.connection_id = c.id)
     limit $2 for update skip locked)`,
  `delete from oauth_clients where id in (
     select id from oauth_clients where coalesce(last_used_at + interval '180 days', created_at + interval '1 day') < $1
     limit $2 for update skip locked)`,
  `delete from oauth_clients where id in (
     select id from oauth_clients where last_used_at is null and $1::timestamptz is not null
     order by created_at desc offset ${maxUnusedClients} limit $2)`,
];

/** Deletes tokens, connections and clients that nobody can use any more. */
export async function deleteExpired({ pool, clock }: Pick<Base, "pool" | "clock">): Promise<void> {
  for (const statement of expired) await inBatches(pool, statement, [clock()]);
}
