import { type Account, type Actor, type Source, toAccount } from "../../kernel/context.ts";
import { hashToken, isPlausibleToken, lastUseLag } from "../../kernel/secrets.ts";
import type { AccountDeps } from "../call.ts";
import { accountSuspended } from "../users/user.row.ts";
import { idleSince } from "./session.row.ts";

/** `begun_ms`: milliseconds since the epoch */
type Row = Account & {
  session_id: string;
  begun_ms: number;
  stale: boolean;
  suspended: boolean;
  is_operator: boolean;
};

/**
 * The actor of a session token, or null; 403 if its account is suspended. Read on every request, so that an ended session
 * is refused at once.
 */
export async function actorOfSession(
  deps: Pick<AccountDeps, "pool" | "clock" | "refusals">,
  token: string,
  source?: Source,
): Promise<Actor | null> {
  const { pool, clock } = deps;
  const refuse = () => {
    deps.refusals.report("session", "it has ended, or never existed", source);
    return null;
  };
  if (!isPlausibleToken(token)) return refuse();
  const now = clock();
  const { rows } = await pool.query<Row>({
    name: "credential-session",
    text: `select u.id, u.email, u.name, u.plan, u.is_operator, s.id as session_id, u.suspended_at is not null as suspended,
             (extract(epoch from s.created_at) * 1000)::float8 as begun_ms,
             s.last_seen_at < $2::timestamptz - interval '${lastUseLag}' as stale
           from sessions s join users u on u.id = s.account_id
           where s.hash = $1 and s.expires_at > $2 and s.last_seen_at > $3`,
    values: [hashToken(token), now, idleSince(now)],
  });
  const [row] = rows;
  if (!row) return refuse();
  if (row.suspended) throw accountSuspended();
  const { session_id, begun_ms } = row;
  if (row.stale) await pool.query("update sessions set last_seen_at = $2 where id = $1", [session_id, now]);
  return {
    kind: "account",
    account: toAccount(row),
    credential: "session",
    session_id,
    ...(row.is_operator && { is_operator: true }),
    // Every sign-in begins a new session.
    authenticated_at: new Date(begun_ms),
    source,
  };
}
