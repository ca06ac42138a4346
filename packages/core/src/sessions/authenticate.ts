import { type Account, type Actor, toAccount } from "../kernel/context.ts";
import type { Deps } from "../deps.ts";
import { hashToken, isPlausibleToken, lastUseLag } from "../crypto/tokens.ts";
import { idleSince } from "./lifetime.ts";

/** `begun_ms`: milliseconds since the epoch */
type Row = Account & { session_id: string; begun_ms: number; stale: boolean };

/** The actor of a session token, or null. Read on every request, so that an ended session is refused at once. */
export async function actorOfSession({ pool, clock }: Deps, token: string): Promise<Actor | null> {
  if (!isPlausibleToken(token)) return null;
  const now = clock();
  const { rows } = await pool.query<Row>({
    name: "credential-session",
    text: `select u.id, u.email, u.name, u.plan, s.id as session_id,
             (extract(epoch from s.created_at) * 1000)::float8 as begun_ms,
             s.last_seen_at < $2::timestamptz - interval '${lastUseLag}' as stale
           from sessions s join users u on u.id = s.account_id
           where s.hash = $1 and s.expires_at > $2 and s.last_seen_at > $3`,
    values: [hashToken(token), now, idleSince(now)],
  });
  const [row] = rows;
  if (!row) return null;
  const { session_id, begun_ms } = row;
  if (row.stale) await pool.query("update sessions set last_seen_at = $2 where id = $1", [session_id, now]);
  // Every sign-in begins a new session.
  const authenticated_at = new Date(begun_ms);
  return { kind: "account", account: toAccount(row), credential: "session", session_id, authenticated_at };
}
