import { type Account, type Actor, type KeyGrant, toAccount } from "../kernel/context.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../kernel/errors.ts";
import { planWith } from "../kernel/plans.ts";
import { hashToken, isPlausibleToken, lastUseLag } from "../crypto/tokens.ts";

type Row = Account & {
  key_id: string;
  scopes: KeyGrant["scopes"];
  /** Milliseconds since the epoch */
  expires_ms: number | null;
  made_over_api: boolean;
  stale: boolean;
};

/**
 * The actor of a bearer key, or null. Read on every request, so that a revoked key is refused at once.
 * @throws {AppError} 401 if the key has expired, 403 if the account's plan no longer includes it
 */
export async function actorOfKey({ pool, clock, plans }: Deps, key: string): Promise<Actor | null> {
  if (!isPlausibleToken(key)) return null;
  const now = clock();
  const { rows } = await pool.query<Row>({
    name: "credential-key",
    text: `select u.id, u.email, u.name, u.plan, k.id as key_id, k.scopes, k.made_over_api,
             (extract(epoch from k.expires_at) * 1000)::float8 as expires_ms,
             k.last_used_at is null or k.last_used_at < $2::timestamptz - interval '${lastUseLag}' as stale
           from api_keys k join users u on u.id = k.account_id where k.hash = $1`,
    values: [hashToken(key), now],
  });
  const [row] = rows;
  if (!row) return null;
  const { key_id, scopes, expires_ms } = row;
  const expires_at = expires_ms === null ? null : new Date(expires_ms);
  if (expires_at && expires_at <= now)
    throw new AppError("UNAUTHORIZED", "The API key has expired: create another one");
  // A key from an operator works on every plan.
  if (row.made_over_api && !plans[row.plan].features.api_keys) throw planLost(plans);
  if (row.stale) await pool.query("update api_keys set last_used_at = $2 where id = $1", [key_id, now]);
  const grant: KeyGrant = { id: key_id, scopes, expires_at };
  return { kind: "account", account: toAccount(row), credential: "key", key: grant };
}

const planLost = (plans: Deps["plans"]) =>
  new AppError(
    "FORBIDDEN",
    `The account's plan no longer includes this API key: it works again on the ${plans[planWith(plans, "api_keys")].title} plan`,
  );
