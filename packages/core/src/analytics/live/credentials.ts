import type { Base } from "../../db/base.ts";
import type { Actor } from "../../kernel/context.ts";
import { planNames } from "../../kernel/names.ts";
import { idleSince } from "../../accounts/sessions/session.row.ts";

/**
 * The credential of a stream: an API key, a connection or a session, or just the account for a caller in the process.
 */
export interface Opener {
  kind: "key" | "connection" | "session" | "account";
  id: string;
  /** When the key or token ends */
  expiresAt: Date | null;
}

export function openerOf(actor: Actor & { kind: "account" }): Opener {
  const { key, session_id, account } = actor;
  if (key) return { kind: key.is_connection ? "connection" : "key", id: key.id, expiresAt: key.expires_at };
  if (session_id !== undefined) return { kind: "session", id: session_id, expiresAt: null };
  return { kind: "account", id: account.id, expiresAt: null };
}

/** Returns the credentials that are still valid, by the same checks as at the start of a request. */
export async function stillValid(
  { pool, clock, plans }: Pick<Base, "pool" | "clock" | "plans">,
  openers: readonly Opener[],
): Promise<ReadonlySet<string>> {
  const now = clock();
  const withFeature = (feature: "realtime" | "api_keys") =>
    planNames.filter((plan) => plans[plan].features[feature]);
  const idsOf = (kind: Opener["kind"]) =>
    openers.flatMap((opener) => (opener.kind === kind ? [opener.id] : []));
  const { rows } = await pool.query<{ id: string }>({
    name: "valid-openers",
    text: `select c.id from (
             select id, account_id, not made_over_api as on_any_plan, true as by_program from api_keys
               where id = any ($1::uuid[]) and (expires_at is null or expires_at > $5)
             union all select id, account_id, false, true from oauth_connections where id = any ($2::uuid[])
             union all select id, account_id, true, false from sessions
               where id = any ($3::uuid[]) and expires_at > $5 and last_seen_at > $6
             union all select id, id, true, false from users where id = any ($4::uuid[])
           ) c join users u on u.id = c.account_id
           where u.suspended_at is null and u.plan = any ($7)
             and (on_any_plan or u.plan = any ($8)) and not (by_program and u.deletes_at is not null)`,
    values: [
      idsOf("key"),
      idsOf("connection"),
      idsOf("session"),
      idsOf("account"),
      now,
      idleSince(now),
      withFeature("realtime"),
      withFeature("api_keys"),
    ],
  });
  const valid = new Set(rows.map(({ id }) => id));
  for (const { id, expiresAt } of openers) if (expiresAt && expiresAt <= now) valid.delete(id);
  return valid;
}
