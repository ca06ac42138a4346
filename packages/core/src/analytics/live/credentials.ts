import type { Base } from "../../db/base.ts";
import type { Actor } from "../../kernel/context.ts";
import { rolesWith } from "../../kernel/roles.ts";
import { planNames } from "../../kernel/names.ts";
import { idleSince } from "../../accounts/sessions/session.row.ts";

/**
 * The credential of a stream: an API key, a connection or a session, or just the account for a caller in the process.
 */
export interface Opener {
  kind: "key" | "connection" | "session" | "account";
  id: string;
  /** The workspace whose clicks it reads */
  workspace: string;
  /** When the key or token ends */
  expiresAt: Date | null;
}

export function openerOf(actor: Actor & { kind: "account" }): Opener {
  const { key, session_id, account } = actor;
  const workspace = account.id;
  if (key)
    return {
      kind: key.is_connection ? "connection" : "key",
      id: key.id,
      workspace,
      expiresAt: key.expires_at,
    };
  if (session_id !== undefined) return { kind: "session", id: session_id, workspace, expiresAt: null };
  return { kind: "account", id: workspace, workspace, expiresAt: null };
}

/** Returns those of the credentials that are still valid, by the same checks as at the start of a request. */
export async function stillValid(
  { pool, clock, plans }: Pick<Base, "pool" | "clock" | "plans">,
  openers: readonly Opener[],
): Promise<readonly Opener[]> {
  const now = clock();
  const withFeature = (feature: "realtime" | "api_keys") =>
    planNames.filter((plan) => plans[plan].features[feature]);
  const idsOf = (kind: Opener["kind"]) =>
    openers.flatMap((opener) => (opener.kind === kind ? [opener.id] : []));
  const { rows } = await pool.query<{ id: string; workspace: string }>({
    name: "valid-openers",
    text: `select c.id, c.account_id as workspace from (
             select id, account_id, created_by, not made_over_api as on_any_plan, true as by_program from api_keys
               where id = any ($1::uuid[]) and (expires_at is null or expires_at > $5)
             union all select id, account_id, created_by, false, true from oauth_connections where id = any ($2::uuid[])
             union all select s.id, o.workspace_id, s.account_id, true, false
               from sessions s join unnest($3::uuid[], $9::uuid[]) o (session_id, workspace_id) on s.id = o.session_id
               where expires_at > $5 and last_seen_at > $6
             union all select id, id, null, true, false from workspaces where id = any ($4::uuid[])
           ) c join workspaces u on u.id = c.account_id
           left join workspaces p on p.id = c.created_by
           where u.suspended_at is null and p.suspended_at is null
             and (p.id is null or exists (
               select from members m where m.workspace_id = u.id and m.user_id = p.id and m.role = any ($10))) and u.plan = any ($7)
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
      openers.flatMap(({ kind, workspace }) => (kind === "session" ? [workspace] : [])),
      rolesWith("analytics:read"),
    ],
  });
  const valid = new Set(rows.map(({ id, workspace }) => `${id} ${workspace}`));
  return openers.filter(
    ({ id, workspace, expiresAt }) => valid.has(`${id} ${workspace}`) && !(expiresAt && expiresAt <= now),
  );
}
