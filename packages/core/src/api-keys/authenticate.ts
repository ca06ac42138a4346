import { type Account, type Actor, type Source, toAccount } from "../kernel/context.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../kernel/errors.ts";
import { recordKey } from "./record.ts";
import { hashToken, isPlausibleToken, lastUseLag } from "../crypto/tokens.ts";

type Row = Account & { key_id: string; stale: boolean; unused: boolean; leaving: boolean };

/** The actor of a bearer key, or null. Read on every request, so that a revoked key is refused at once. */
export async function actorOfKey(deps: Deps, key: string, source?: Source): Promise<Actor | null> {
  const { pool, clock } = deps;
  const refuse = () => {
    deps.refusals.report("key", "it was revoked, or never existed", source);
    return null;
  };
  if (!isPlausibleToken(key)) return refuse();
  const now = clock();
  const { rows } = await pool.query<Row>({
    name: "credential-key",
    text: `select u.id, u.email, u.name, u.plan, k.id as key_id,
             u.deletes_at is not null as leaving,
             k.last_used_at is null as unused,
             k.last_used_at is null or k.last_used_at < $2::timestamptz - interval '${lastUseLag}' as stale
           from api_keys k join users u on u.id = k.account_id where k.hash = $1`,
    values: [hashToken(key), now],
  });
  const [row] = rows;
  if (!row) return refuse();
  if (row.leaving) {
    throw new AppError(
      "FORBIDDEN",
      "The account is being deleted, so its API keys do not work: sign in to keep it",
    );
  }
  if (row.stale) await recordUse(deps, row, now, source);
  return { kind: "account", account: toAccount(row), credential: "key", key: { id: row.key_id }, source };
}

async function recordUse(deps: Deps, { id, key_id, unused }: Row, now: Date, source?: Source): Promise<void> {
  const { rows } = await deps.pool.query<{ name: string; prefix: string }>(
    `update api_keys set last_used_at = $2 where id = $1 ${unused ? "and last_used_at is null" : ""}
     returning name, prefix`,
    [key_id, now],
  );
  // Of concurrent first uses, one is recorded.
  const [key] = unused ? rows : [];
  const deed = { account_id: id, by: { kind: "key", id: key_id }, source } as const;
  if (key) await recordKey(deps, deed, "key_first_used", key);
}
