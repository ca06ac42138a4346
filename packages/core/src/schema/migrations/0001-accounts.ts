/** Accounts, how people and programs sign in to them, and what happened to them. */
export const accounts = `
  create type plan as enum ('free', 'pro', 'enterprise');

  create table users (
    id uuid not null primary key,
    -- Identifies the account in a raw click with four bytes.
    number integer not null generated always as identity constraint users_number_unique unique,
    email text not null constraint users_email_unique unique,
    -- False only if a login provider returned the address as unverified; addresses from operators count as verified.
    email_verified boolean not null default true,
    name text not null,
    plan plan not null,
    is_operator boolean not null default false,
    created_at timestamptz(3) not null,
    suspended_at timestamptz(3),
    suspended_reason text,
    -- When a deleted account is erased, and when the service began to erase it.
    deletes_at timestamptz(3),
    erased_at timestamptz(3),
    -- Since when the history of links is complete, if some of it was deleted to make room.
    history_from timestamptz(3)
  );
  create index users_deletes_at on users (deletes_at) where deletes_at is not null;

  create table consents (
    account_id uuid not null primary key
      constraint consents_account_id_foreign references users (id) on update cascade on delete cascade,
    marketing boolean not null default false,
    updated_at timestamptz(3) not null
  );

  create table sessions (
    id uuid not null primary key,
    account_id uuid not null constraint sessions_account_id_foreign references users (id) on delete cascade,
    hash bytea not null constraint sessions_hash_unique unique,
    created_at timestamptz(3) not null,
    last_seen_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  );
  create index sessions_account_id on sessions (account_id);
  create index sessions_expires_at on sessions (expires_at);

  -- Issuer and subject together identify a person (OpenID Connect Core 1.0, section 5.7). One provider may have many
  -- issuers, as Microsoft has one per tenant.
  create table identities (
    id uuid not null primary key,
    account_id uuid not null constraint identities_account_id_foreign references users (id) on delete cascade,
    provider text not null,
    issuer text not null,
    subject text not null,
    created_at timestamptz(3) not null,
    constraint identities_issuer_subject_unique unique (issuer, subject)
  );
  create index identities_account_id on identities (account_id);

  create table login_links (
    id uuid not null primary key,
    account_id uuid not null constraint login_links_account_id_foreign references users (id) on delete cascade,
    hash bytea not null constraint login_links_hash_unique unique,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  );
  create index login_links_account_id on login_links (account_id);

  create table api_keys (
    id uuid not null primary key,
    account_id uuid not null constraint api_keys_account_id_foreign references users (id) on delete cascade,
    -- The connected program that made it
    connection_id uuid,
    name text not null,
    prefix text not null,
    hash bytea not null constraint api_keys_hash_unique unique,
    scopes text[],
    made_over_api boolean not null default false,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3),
    expires_at timestamptz(3),
    replaced_at timestamptz(3)
  );
  create index api_keys_account_id on api_keys (account_id);
  create index api_keys_connection_id on api_keys (connection_id);

  -- The authorization server: programs that registered themselves, the connections that owners allowed, and tokens.
  create table oauth_clients (
    id text not null primary key,
    metadata jsonb not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3)
  );
  create index oauth_clients_created_at on oauth_clients (created_at);

  create table oauth_connections (
    id uuid not null primary key,
    account_id uuid not null constraint oauth_connections_account_id_foreign references users (id) on delete cascade,
    client_id text not null,
    client_name text not null,
    client_host text,
    resource text not null,
    scopes text[] not null,
    payload jsonb not null,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3),
    expires_at timestamptz(3) not null
  );
  create index oauth_connections_account_id on oauth_connections (account_id);
  create index oauth_connections_created_at on oauth_connections (created_at);

  create table oauth_tokens (
    hash bytea not null primary key,
    kind text not null,
    connection_id uuid
      constraint oauth_tokens_connection_id_foreign references oauth_connections (id) on delete cascade,
    user_code text constraint oauth_tokens_user_code_unique unique,
    payload jsonb not null,
    expires_at timestamptz(3) not null,
    consumed_at timestamptz(3)
  );
  create index oauth_tokens_connection_id on oauth_tokens (connection_id);
  create index oauth_tokens_expires_at on oauth_tokens (expires_at);

  -- No foreign key, because a key outlives the registration of its program, but not its connection.
  create function delete_keys_of_connection() returns trigger language plpgsql as $$
  begin
    delete from api_keys where connection_id = old.id;
    return null;
  end $$;
  create trigger delete_keys_of_connection after delete on oauth_connections
    for each row execute function delete_keys_of_connection();

  -- Sign-ins, keys, plan, export … "about" names the key, the provider or the plans.
  create table activity (
    id uuid not null primary key,
    account_id uuid not null constraint activity_account_id_foreign references users (id) on delete cascade,
    at timestamptz(3) not null,
    action text not null,
    count integer not null default 1,
    by_kind text not null,
    by_id uuid,
    about text,
    network text,
    client text
  );
  create index activity_account_id_id on activity (account_id, id desc);
  create index activity_at on activity (at);
`;
