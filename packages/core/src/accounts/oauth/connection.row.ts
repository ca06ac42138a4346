import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import type { Base } from "../../db/base.ts";
import { inBatches } from "../../db/batches.ts";
import { dayMs } from "../../kernel/time.ts";
import type { Scope } from "../../kernel/names.ts";
import { idOrNull } from "../../kernel/validation/ids.ts";
import { shown } from "../../kernel/validation/strings.ts";
import { accountFilter, type OwnRows, ownRows } from "../../rpc/own-rows.ts";
import { type ActivityActor, type ActivityDeps, recordActivity, serviceActor } from "../activity/record.ts";
import { accountOf, madeBy } from "../workspaces/workspace.row.ts";
import { type Connection, connectionSchema } from "./connection.schema.ts";
import type { NewConnection } from "./oauth.types.ts";

/** A program that acts for an account. */
export const ConnectionEntity = defineEntity({
  name: "Connection",
  tableName: "oauth_connections",
  filters: accountFilter,
  indexes: [
    {
      name: "oauth_connections_created_at",
      expression: "create index oauth_connections_created_at on oauth_connections (created_at)",
    },
  ],
  properties: {
    id: p.uuid().primary(),
    account_id: () => accountOf("oauth_connections"),
    created_by: () => madeBy("oauth_connections", "cascade"),
    client_id: p.text(),
    client_name: p.text(),
    client_host: p.text().nullable(),
    resource: p.text(),
    scopes: p.array().$type<Scope[]>(),
    /** What the authorization server stores of the grant */
    payload: p.json(),
    created_at: p.datetime(3),
    last_used_at: p.datetime(3).nullable(),
    expires_at: p.datetime(3),
  },
});

export const connections: OwnRows<InferEntity<typeof ConnectionEntity>, Connection> = ownRows(
  ConnectionEntity,
  "Connection",
  (row) => shown(connectionSchema, row),
);

/** Programs that an account can have connected; the least recently used ones make room. */
const maxConnections = 100;

/** Days after which the user must allow a program again, however often it renews its tokens. */
const connectionDays = 365;

/** Stores a connection, which has no tokens yet. */
export async function connect(deps: ActivityDeps, connection: NewConnection): Promise<string> {
  const { account, client_id, client_name, client_host, resource, scopes, source } = connection;
  const id = deps.newId();
  const now = deps.clock();
  const expires = new Date(now.getTime() + connectionDays * dayMs);
  const { rows } = await deps.pool.query<{ name: string | null }>(
    `with surplus as (
       delete from oauth_connections where id in (
         select id from oauth_connections where account_id = $2
         order by coalesce(last_used_at, created_at) desc offset ${maxConnections - 1})),
     used as (update oauth_clients set last_used_at = $8 where id = $3)
     insert into oauth_connections
       (id, account_id, client_id, client_name, client_host, resource, scopes, payload, created_at, expires_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, '{}', $8, $9, $10)
     returning (select name from workspaces where id = $10) as name`,
    [id, account.id, client_id, client_name, client_host, resource, scopes, now, expires, connection.user_id],
  );
  await recordConnection(
    deps,
    {
      account_id: account.id,
      by: {
        kind: "session",
        id: connection.session_id ?? null,
        name: rows[0]?.name ?? null,
        user_id: connection.user_id,
      },
      source,
    },
    "connection_made",
    { ...connection, id },
  );
  return id;
}

/** A connection as the activity names it. */
interface Named {
  client_name: string;
  client_host?: string | null | undefined;
  id: string;
}

/** Implements `OAuth.endMisused`. */
export async function endMisused(deps: ActivityDeps, id: string): Promise<void> {
  const { rows } = await deps.pool.query<Named & { account_id: string }>(
    "delete from oauth_connections where id = $1 returning id, account_id, client_name, client_host",
    [idOrNull(id)],
  );
  const [ended] = rows;
  if (ended) await recordConnection(deps, serviceActor(ended.account_id), "connection_misused", ended);
}

/** Records what happened to a connection, by the name of its program and where that is. */
export const recordConnection = (
  deps: ActivityDeps,
  actor: ActivityActor,
  action: "connection_made" | "connection_ended" | "connection_misused",
  { id, client_name, client_host }: Named,
): Promise<void> =>
  recordActivity(deps, actor, action, `${client_name} (${client_host ?? "on a user's machine"})`, { id });

/** Programs that registered but were never allowed; the oldest make room. */
const maxUnusedClients = 20_000;

/**
 * What has expired, an hour later so that clocks may differ. A program that registered itself is forgotten after a
 * day if it was never allowed, otherwise half a year after it last was.
 */
const expired = [
  `delete from oauth_tokens where hash in (
     select hash from oauth_tokens where expires_at < $1::timestamptz - interval '1 hour'
     limit $2 for update skip locked)`,
  `delete from oauth_connections where id in (
     select id from oauth_connections c where created_at < $1::timestamptz - interval '1 day'
       and not exists (select from oauth_tokens t where t.connection_id = c.id)
     limit $2 for update skip locked)`,
  `delete from oauth_clients where id in (
     select id from oauth_clients where coalesce(last_used_at + interval '180 days', created_at + interval '1 day') < $1
     limit $2 for update skip locked)`,
  `delete from oauth_clients where id in (
     select id from oauth_clients where last_used_at is null and $1::timestamptz is not null
     order by created_at desc offset ${maxUnusedClients} limit $2)`,
];

/** Deletes tokens, connections and clients that can no longer be used. */
export async function deleteExpired({ pool, clock }: Pick<Base, "pool" | "clock">): Promise<void> {
  for (const statement of expired) await inBatches(pool, statement, [clock()]);
}
