import { Migration } from "@mikro-orm/migrations";

/**
 * What the authorization server stores: programs that registered themselves, the connections that owners allowed, and
 * tokens. Nodes of the previous version know none of them.
 */
export class OAuth extends Migration {
  override up(): void {
    this.addSql(`create table oauth_clients (
      id text not null primary key,
      metadata jsonb not null,
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3)
    )`);
    this.addSql(`create index oauth_clients_created_at on oauth_clients (created_at)`);

    this.addSql(`create table oauth_connections (
      id uuid not null primary key,
      account_id uuid not null
        constraint oauth_connections_account_id_foreign references users (id) on delete cascade,
      client_id text not null,
      client_name text not null,
      client_host text,
      resource text not null,
      scopes text[] not null,
      payload jsonb not null,
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3),
      expires_at timestamptz(3) not null
    )`);
    this.addSql(`create index oauth_connections_account_id on oauth_connections (account_id)`);
    this.addSql(`create index oauth_connections_created_at on oauth_connections (created_at)`);

    this.addSql(`create table oauth_tokens (
      hash bytea not null primary key,
      kind text not null,
      connection_id uuid
        constraint oauth_tokens_connection_id_foreign references oauth_connections (id) on delete cascade,
      user_code text constraint oauth_tokens_user_code_unique unique,
      payload jsonb not null,
      expires_at timestamptz(3) not null,
      consumed_at timestamptz(3)
    )`);
    this.addSql(`create index oauth_tokens_connection_id on oauth_tokens (connection_id)`);
    this.addSql(`create index oauth_tokens_expires_at on oauth_tokens (expires_at)`);
  }
}
