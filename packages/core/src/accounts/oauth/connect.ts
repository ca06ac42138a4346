import type { AccountDeps } from "../call.ts";
import { dayMs } from "../../kernel/time.ts";
import { recordConnection } from "./end.ts";
import type { NewConnection } from "./oauth.types.ts";

/** Programs that an account can have connected; the ones that were not used for longest make room. */
const maxConnections = 100;

/** Days after which a program has to sign its user in again, however often it renews its tokens. */
const connectionDays = 365;

/** Stores a connection, which has no tokens yet. */
export async function connect(deps: AccountDeps, connection: NewConnection): Promise<string> {
  const { account, client_id, client_name, client_host, resource, scopes, source } = connection;
  const id = deps.newId();
  const now = deps.clock();
  const expires = new Date(now.getTime() + connectionDays * dayMs);
  await deps.pool.query(
    `with surplus as (
       delete from oauth_connections where id in (
         select id from oauth_connections where account_id = $2
         order by coalesce(last_used_at, created_at) desc offset ${maxConnections - 1})),
     used as (update oauth_clients set last_used_at = $8 where id = $3)
     insert into oauth_connections
       (id, account_id, client_id, client_name, client_host, resource, scopes, payload, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, '{}', $8, $9)`,
    [id, account.id, client_id, client_name, client_host, resource, scopes, now, expires],
  );
  await recordConnection(
    deps,
    { account_id: account.id, by: { kind: "session", id: connection.session_id ?? null }, source },
    "connection_made",
    connection,
  );
  return id;
}
