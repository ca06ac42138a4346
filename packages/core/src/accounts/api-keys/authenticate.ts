import type { Base } from "../../db/base.ts";
import { type Account, type Actor, type KeyGrant, type Source, toAccount } from "../../kernel/context.ts";
import { refusal } from "../../kernel/errors.ts";
import { planWith } from "../../kernel/plans.ts";
import { hashToken, isPlausibleToken, lastUseLag } from "../../kernel/secrets.ts";
import type { ActivityDeps } from "../activity/record.ts";
import type { AccountDeps } from "../call.ts";
import { accountPendingDeletion, accountSuspended } from "../workspaces/workspace.row.ts";
import {
  joinMaker,
  memberColumns,
  type MemberColumns,
  memberOf,
  requireNamed,
} from "../workspaces/membership.ts";
import { recordKey } from "./api-key.row.ts";

type Row = Account &
  MemberColumns & {
    key_id: string;
    key_name: string;
    scopes: KeyGrant["scopes"];
    /** Milliseconds since the epoch */
    expires_ms: number | null;
    made_over_api: boolean;
    connection_id: string | null;
    pending_deletion: boolean;
    unused: boolean;
    stale: boolean;
  };

/**
 * The actor of a bearer key, or null. Read on every request, so that a revoked key is refused at once, as is the key of a
 * person who has left the workspace.
 * @throws {AppError} 401 if the key has expired, 403 if the account is suspended or being deleted, or its plan no longer
 * includes the key
 */
export async function actorOfKey(
  deps: ActivityDeps & Pick<AccountDeps, "plans" | "refusals">,
  key: string,
  source?: Source,
): Promise<Actor | null> {
  const { pool, clock, plans } = deps;
  const refuse = () => {
    deps.refusals.report("key", "it was revoked, or never existed", source);
    return null;
  };
  if (!isPlausibleToken(key)) return refuse();
  const now = clock();
  const { rows } = await pool.query<Row>({
    name: "credential-key",
    text: `select w.id, w.name, w.plan, ${memberColumns}, k.id as key_id, k.name as key_name, k.scopes, k.made_over_api, k.connection_id,
             (extract(epoch from k.expires_at) * 1000)::float8 as expires_ms, w.deletes_at is not null as pending_deletion, k.last_used_at is null as unused,
             k.last_used_at is null or k.last_used_at < $2::timestamptz - interval '${lastUseLag}' as stale
           from api_keys k join workspaces w on w.id = k.account_id ${joinMaker("k")} where k.hash = $1`,
    values: [hashToken(key), now],
  });
  const [row] = rows;
  if (!row || (row.user_id !== null && row.role === null)) return refuse();
  requireNamed(source, row);
  const { key_id, key_name, scopes, expires_ms } = row;
  const expires_at = expires_ms === null ? null : new Date(expires_ms);
  if (expires_at && expires_at <= now)
    throw refusal("UNAUTHORIZED", "", "expired", "The API key has expired: create another one", {
      at: expires_at.toISOString(),
    });
  if (row.suspended) throw accountSuspended();
  if (row.pending_deletion) throw accountPendingDeletion("API keys");
  // A key from an operator works on every plan.
  if (row.made_over_api && !plans[row.plan].features.api_keys) throw planLost(plans);
  if (row.stale) await recordUse(deps, row, now, source);
  const connection_id = row.connection_id ?? undefined;
  const grant: KeyGrant = { id: key_id, name: key_name, connection_id, scopes, expires_at };
  return {
    kind: "account",
    account: toAccount(row),
    ...memberOf(row),
    credential: "key",
    key: grant,
    source,
  };
}

async function recordUse(
  deps: ActivityDeps,
  { id, key_id, unused, user_id }: Row,
  now: Date,
  source?: Source,
): Promise<void> {
  const { rows } = await deps.pool.query<{ name: string; prefix: string }>(
    `update api_keys set last_used_at = $2 where id = $1 ${unused ? "and last_used_at is null" : ""}
     returning name, prefix`,
    [key_id, now],
  );
  // Of concurrent first uses, one is recorded.
  const [key] = unused ? rows : [];
  if (!key) return;
  const actor = { account_id: id, by: { kind: "key", id: key_id, name: key.name, user_id }, source } as const;
  await recordKey(deps, actor, "key_first_used", { ...key, id: key_id });
}

const planLost = (plans: Base["plans"]) =>
  refusal(
    "FORBIDDEN",
    "",
    "plan_required",
    `The account's plan no longer includes this API key: it works again on the ${plans[planWith(plans, "api_keys")].title} plan`,
    { plan: planWith(plans, "api_keys"), feature: "api_keys" },
  );
