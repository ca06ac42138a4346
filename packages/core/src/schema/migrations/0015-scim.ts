/** People and groups that companies' directories keep in a workspace (SCIM), and the roles that groups of providers gave. */
export const scim = `
  create table scim_tokens (
    id uuid not null primary key,
    account_id uuid not null constraint scim_tokens_account_id_foreign references workspaces (id) on delete cascade,
    name text,
    hash bytea not null constraint scim_tokens_hash_unique unique,
    created_at timestamptz(3) not null,
    last_used_at timestamptz(3)
  );
  create index scim_tokens_account_id on scim_tokens (account_id);

  create table scim_users (
    id uuid not null primary key,
    account_id uuid not null constraint scim_users_account_id_foreign references workspaces (id) on delete cascade,
    user_id uuid not null constraint scim_users_user_id_foreign references workspaces (id) on delete cascade,
    user_name text not null,
    external_id text,
    -- The address to sign in with, in lower case
    email text not null,
    -- Names and addresses as the directory sent them
    attributes jsonb not null,
    active boolean not null,
    -- Whether the person came by the directory, which then decides whether they sign in at all
    made_person boolean not null,
    signed_in boolean not null default false,
    -- When the directory deleted them; the row still keeps them out
    removed_at timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,
    constraint scim_users_account_id_user_id_unique unique (account_id, user_id)
  );
  create unique index scim_users_user_name on scim_users (account_id, lower(user_name)) where removed_at is null;
  create index scim_users_user_id on scim_users (user_id);

  create table scim_groups (
    id uuid not null primary key,
    account_id uuid not null constraint scim_groups_account_id_foreign references workspaces (id) on delete cascade,
    display_name text not null,
    external_id text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );
  create unique index scim_groups_display_name on scim_groups (account_id, lower(display_name));

  create table scim_group_members (
    group_id uuid not null constraint scim_group_members_group_id_foreign references scim_groups (id) on delete cascade,
    scim_user_id uuid not null
      constraint scim_group_members_scim_user_id_foreign references scim_users (id) on delete cascade,
    primary key (group_id, scim_user_id)
  );
  create index scim_group_members_scim_user_id on scim_group_members (scim_user_id);

  create table group_grants (
    user_id uuid not null constraint group_grants_user_id_foreign references workspaces (id) on delete cascade,
    -- The workspace; null: the operator's screens
    account_id uuid constraint group_grants_account_id_foreign references workspaces (id) on delete cascade,
    provider text not null,
    constraint group_grants_unique unique nulls not distinct (user_id, account_id, provider)
  );
  create index group_grants_account_id on group_grants (account_id);
`;
