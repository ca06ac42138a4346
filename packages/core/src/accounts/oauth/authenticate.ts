import { type Account, type Actor, type Source, toAccount } from "../../kernel/context.ts";
import { type Scope, scopes } from "../../kernel/names.ts";
import { lastUseLag } from "../../kernel/secrets.ts";
import type { AccountDeps } from "../call.ts";
import { accountPendingDeletion, accountSuspended } from "../workspaces/workspace.row.ts";
import {
  joinMaker,
  memberColumns,
  type MemberColumns,
  memberOf,
  requireNamed,
} from "../workspaces/membership.ts";
import { accessTokenHash } from "./store.ts";

type Row = Account &
  MemberColumns & {
    connection_id: string;
    client_name: string;
    audience: string | null;
    scope: string | null;
    /** Milliseconds since the epoch */
    expires_ms: number;
    pending_deletion: boolean;
    use_is_due: boolean;
  };

/**
 * The actor of an access token for `audience`, or null if the token is unknown, ended, expired or for another audience. Read
 * on every request, so that an ended connection is refused at once.
 * @throws {AppError} 403 if the account is suspended or being deleted
 */
export async function actorOfToken(
  deps: Pick<AccountDeps, "pool" | "clock" | "refusals">,
  token: string,
  audience: string,
  source?: Source,
): Promise<Actor | null> {
  const { pool, clock, refusals } = deps;
  const now = clock();
  const { rows } = await pool.query<Row>({
    name: "credential-token",
    text: `select w.id, w.name, w.plan, ${memberColumns}, c.id as connection_id, c.client_name,
             t.payload ->> 'aud' as audience, t.payload ->> 'scope' as scope,
             (extract(epoch from t.expires_at) * 1000)::float8 as expires_ms, w.deletes_at is not null as pending_deletion,
             c.last_used_at is null or c.last_used_at < $2::timestamptz - interval '${lastUseLag}' as use_is_due
           from oauth_tokens t join oauth_connections c on c.id = t.connection_id join workspaces w on w.id = c.account_id
           ${joinMaker("c")}
           where t.hash = $1 and t.expires_at > $2`,
    values: [accessTokenHash(token), now],
  });
  const [row] = rows;
  if (row?.audience !== audience || row.role === null) {
    refusals.report(
      "token",
      row ? "it is for another address" : "it has expired or ended, or never existed",
      source,
    );
    return null;
  }
  requireNamed(source, row);
  if (row.suspended) throw accountSuspended();
  if (row.pending_deletion) throw accountPendingDeletion("connections");
  const { connection_id: id, client_name: name } = row;
  if (row.use_is_due)
    await pool.query("update oauth_connections set last_used_at = $2 where id = $1", [id, now]);
  const granted = new Set((row.scope ?? "").split(" "));
  return {
    kind: "account",
    account: toAccount(row),
    ...memberOf(row),
    credential: "key",
    key: {
      id,
      name,
      is_connection: true,
      scopes: scopes.filter((scope: Scope) => granted.has(scope)),
      // Keys that a program creates end no later than its token.
      expires_at: new Date(row.expires_ms),
    },
    source,
  };
}
