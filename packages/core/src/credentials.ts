import { createHash } from "node:crypto";
import type { Account } from "./context.ts";
import type { Deps } from "./deps.ts";
import { idleSince } from "./sessions/lifetime.ts";
import type { Credentials } from "./types.ts";

/**
 * Secrets of 256 random bits. A fast hash is enough for them: there is nothing to guess, unlike with passwords.
 */
export const secretBytes = 32;

export const hashSecret = (secret: string): Buffer => createHash("sha256").update(secret).digest();

type Row = Account & { credential_id: string; stale: boolean };

/** How far the times of last use may lag behind: one write a minute and credential instead of one a request. */
const lastUseLag = "1 minute";

/** Looks credentials up afresh for every request, so that a revoked one is refused at once. */
export function createCredentials({ pool, clock }: Deps): Credentials {
  return {
    async byKey(key) {
      if (key.length > 200) return null;
      const { rows } = await pool.query<Row>({
        name: "credential-key",
        text: `select u.id, u.email, u.name, u.plan, k.id as credential_id,
                 k.last_used_at is null or k.last_used_at < $2::timestamptz - interval '${lastUseLag}' as stale
               from api_keys k join users u on u.id = k.account_id where k.hash = $1`,
        values: [hashSecret(key), clock()],
      });
      const row = rows[0];
      if (row?.stale) {
        await pool.query("update api_keys set last_used_at = $2 where id = $1", [row.credential_id, clock()]);
      }
      return row ? { kind: "account", account: toAccount(row), credential: "key" } : null;
    },
    async bySession(token) {
      if (token.length > 200) return null;
      const now = clock();
      const { rows } = await pool.query<Row>({
        name: "credential-session",
        text: `select u.id, u.email, u.name, u.plan, s.id as credential_id,
                 s.last_seen_at < $2::timestamptz - interval '${lastUseLag}' as stale
               from sessions s join users u on u.id = s.account_id
               where s.hash = $1 and s.expires_at > $2 and s.last_seen_at > $3`,
        values: [hashSecret(token), now, idleSince(now)],
      });
      const row = rows[0];
      if (row?.stale) {
        await pool.query("update sessions set last_seen_at = $2 where id = $1", [row.credential_id, now]);
      }
      if (!row) return null;
      const session_id = row.credential_id;
      return { kind: "account", account: toAccount(row), credential: "session", session_id };
    },
  };
}

const toAccount = ({ id, email, name, plan }: Row): Account => ({ id, email, name, plan });
