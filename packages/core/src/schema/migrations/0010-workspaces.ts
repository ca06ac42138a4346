/**
 * Every account becomes a workspace, and those there are become the personal workspaces of their people. A person is the row
 * of their personal workspace, which has the same id: only it has an e-mail address. `account_id` refers to a workspace.
 */
export const workspaces = `
  alter table users rename to workspaces;
  alter table workspaces
    alter column email drop not null,
    -- Null for a personal workspace
    add column slug text constraint workspaces_slug_unique unique,
    add column personal boolean not null default true,
    -- Language of the person's mail
    add column language text,
    -- [{domain, role}]: people with a verified address at such a domain may join.
    add column join_domains jsonb not null default '[]',
    -- The member to whom the owner offers the workspace, and until when
    add column offered_to uuid,
    add column offered_until timestamptz(3);

  -- For processes of the version before, which run until all are replaced, and for the triggers of the history.
  create view users as
    select id, number, email, email_verified, name, plan, is_operator, created_at, suspended_at, suspended_reason,
      deletes_at, erased_at, history_from
    from workspaces;

  create table members (
    workspace_id uuid not null
      constraint members_workspace_id_foreign references workspaces (id) on update cascade on delete cascade,
    user_id uuid not null
      constraint members_user_id_foreign references workspaces (id) on update cascade on delete cascade,
    role text not null,
    via text not null,
    joined_at timestamptz(3) not null,
    primary key (workspace_id, user_id)
  );
  create index members_user_id on members (user_id);
  create unique index members_owner on members (workspace_id) where role = 'owner';
  insert into members select id, id, 'owner', 'creation', created_at from workspaces;

  create function add_owner_of_personal_workspace() returns trigger language plpgsql as $$
  begin
    insert into members values (new.id, new.id, 'owner', 'creation', new.created_at);
    return null;
  end $$;
  create trigger add_owner_of_personal_workspace after insert on workspaces
    for each row when (new.personal) execute function add_owner_of_personal_workspace();

  create table invitations (
    id uuid not null primary key,
    account_id uuid not null constraint invitations_account_id_foreign references workspaces (id) on delete cascade,
    -- Null: whoever has the link, once
    email text,
    role text not null,
    hash bytea not null constraint invitations_hash_unique unique,
    invited_by uuid constraint invitations_invited_by_foreign references workspaces (id) on delete set null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null
  );
  create index invitations_account_id on invitations (account_id);
  create index invitations_invited_by on invitations (invited_by);

  -- Who made it, and may do with it what their role allows now. Null for the owner of a personal workspace.
  alter table api_keys add column created_by uuid
    constraint api_keys_created_by_foreign references workspaces (id) on delete cascade;
  alter table oauth_connections add column created_by uuid
    constraint oauth_connections_created_by_foreign references workspaces (id) on delete cascade;
  alter table jobs
    add column created_by uuid constraint jobs_created_by_foreign references workspaces (id) on delete set null,
    -- What that person must still be allowed to do when a part begins; null for jobs of the version before.
    add column permission text;
  alter table shared_reports add column created_by uuid
    constraint shared_reports_created_by_foreign references workspaces (id) on delete cascade;
  create index api_keys_created_by on api_keys (created_by);
  create index oauth_connections_created_by on oauth_connections (created_by);
  create index jobs_created_by on jobs (created_by);
  create index shared_reports_created_by on shared_reports (created_by);
`;
