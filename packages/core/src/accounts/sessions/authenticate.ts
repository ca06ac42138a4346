import { type Account, type Actor, type Source, toAccount } from "../../kernel/context.ts";
import { notFound } from "../../kernel/errors.ts";
import { hashToken, isPlausibleToken, lastUseLag } from "../../kernel/secrets.ts";
import type { AccountDeps } from "../call.ts";
import { accountSuspended } from "../workspaces/workspace.row.ts";
import { memberColumns, type MemberColumns, memberOf, namedBy } from "../workspaces/membership.ts";
import { idleSince } from "./session.row.ts";

/** `begun_ms`: milliseconds since the epoch */
type Row = Account &
  MemberColumns & {
    session_id: string;
    begun_ms: number;
    stale: boolean;
    is_operator: boolean;
  };

/**
 * The actor of a session token in the workspace that the request names, by default the personal one; null without such a
 * session. Read on every request, so that an ended session or membership is refused at once.
 * @throws {AppError} 404 if the person is not in the workspace; 403 if the person or the workspace is suspended
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
    text: `select w.id, w.name, w.plan, p.is_operator, s.id as session_id, ${memberColumns},
             (extract(epoch from s.created_at) * 1000)::float8 as begun_ms,
             s.last_seen_at < $2::timestamptz - interval '${lastUseLag}' as stale
           from sessions s join workspaces p on p.id = s.account_id
           left join (members m join workspaces w on w.id = m.workspace_id and w.erased_at is null)
             on m.user_id = p.id and (w.slug = $4 or w.id = $5 or ($4::text is null and $5::uuid is null and w.id = p.id))
           where s.hash = $1 and s.expires_at > $2 and s.last_seen_at > $3`,
    values: [hashToken(token), now, idleSince(now), ...namedBy(source)],
  });
  const [row] = rows;
  if (!row) return refuse();
  if (row.suspended) throw accountSuspended();
  if (row.role === null) throw notFound("Workspace");
  const { session_id, begun_ms } = row;
  if (row.stale) await pool.query("update sessions set last_seen_at = $2 where id = $1", [session_id, now]);
  return {
    kind: "account",
    account: toAccount(row),
    ...memberOf(row),
    credential: "session",
    session_id,
    ...(row.is_operator && { is_operator: true }),
    // Every sign-in begins a new session.
    authenticated_at: new Date(begun_ms),
    source,
  };
}
