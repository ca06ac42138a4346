import { activityHash } from "../../accounts/activity/chain.ts";

/**
 * The log of a workspace. Every line has its place in a chain: it carries the hash of the line before it, which `admin activity
 * verify` recomputes. A trigger does that, so that lines of the version before, and those written by hand, have one, too.
 * Lines from before the chain get their places when the workspace's first line is added to it.
 */
export const activity = `
  alter table activity
    add column by_name text,
    add column user_id uuid,
    add column target_id uuid,
    add column target_name text,
    add column fields jsonb,
    add column position bigint,
    add column previous bytea;
  create index activity_account_id_at on activity (account_id, at desc, id desc);
  create unique index activity_account_id_position on activity (account_id, position);

  -- The positions of the oldest line that is kept and of the newest one, and the newest one's hash
  create table activity_chains (
    account_id uuid not null primary key
      constraint activity_chains_account_id_foreign references workspaces (id) on delete cascade,
    first bigint not null default 1,
    last bigint not null default 0,
    hash bytea not null default ''
  );

  -- Lines of one workspace queue for its row of activity_chains; those of others do not wait.
  create function chain_activity() returns trigger language plpgsql as $$
  declare
    chain activity_chains;
    line activity;
  begin
    insert into activity_chains (account_id) values (new.account_id) on conflict do nothing;
    select * into chain from activity_chains where account_id = new.account_id for update;
    if chain.last = 0 then
      for line in select * from activity where account_id = new.account_id order by at, id loop
        chain.last := chain.last + 1;
        line.position := chain.last;
        line.previous := chain.hash;
        update activity set position = line.position, previous = line.previous where id = line.id;
        chain.hash := ${activityHash("line")};
      end loop;
    end if;
    new.position := chain.last + 1;
    new.previous := chain.hash;
    update activity_chains set last = new.position, hash = ${activityHash("new")} where account_id = new.account_id;
    return new;
  end $$;
  create trigger chain_activity before insert on activity for each row execute function chain_activity();

  -- "id" makes deliveries of a workspace's lines follow each other.
  create function record_activity_event() returns trigger language plpgsql as $$
  begin
    perform record_webhook_event(new.account_id, 'activity.created',
      jsonb_build_object('id', new.account_id, 'line', to_jsonb(new)));
    return null;
  end $$;
  create trigger record_activity_event after insert on activity
    for each row execute function record_activity_event();

  -- By which key or session, and from where: "terse.change" says it, and functions of the version before leave it out.
  alter table changes add column by_id uuid, add column user_id uuid, add column network text;
  create function name_author_of_change() returns trigger language plpgsql as $$
  declare
    told jsonb := nullif(current_setting('terse.change', true), '')::jsonb;
  begin
    new.by_id := (told ->> 'by_id')::uuid;
    new.user_id := (told ->> 'user_id')::uuid;
    new.network := told ->> 'network';
    return new;
  end $$;
  create trigger name_author_of_change before insert on changes
    for each row execute function name_author_of_change();
`;
