/** What tells others about links, or is told by others: webhooks, alerts, health, reports and imports. */
export const integrations = `
  create table webhooks (
    id uuid not null primary key,
    account_id uuid not null constraint webhooks_account_id_foreign references users (id) on delete cascade,
    url text not null,
    events text[] not null,
    active boolean not null,
    inactive_reason text,
    secret bytea not null,
    old_secret bytea,
    old_secret_until timestamptz(3),
    -- Delivered up to "position", and beyond it the positions in "delivered"; "latest" is the last event of the account.
    position bigint not null,
    latest bigint not null,
    delivered bigint[] not null default '{}',
    attempts integer not null default 0,
    failing_since timestamptz(3),
    next_at timestamptz(3) not null,
    lease uuid,
    leased_until timestamptz(3),
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );
  create index webhooks_account_id on webhooks (account_id);
  create index webhooks_next_at on webhooks (next_at) where active and position < latest;

  -- One row: the position of the last event in the log. Its lock lets one node at a time give positions.
  create table webhook_log (last bigint not null);
  insert into webhook_log values (0);

  create table webhook_events (
    id bigint generated always as identity primary key,
    account_id uuid not null constraint webhook_events_account_id_foreign references users (id) on delete cascade,
    position bigint,
    event_id uuid not null default gen_random_uuid() constraint webhook_events_event_id_unique unique,
    type text not null,
    at timestamptz(3) not null default clock_timestamp(),
    subject jsonb,
    clicks bigint[]
  );
  create index webhook_events_position on webhook_events (account_id, position);
  create index webhook_events_waiting on webhook_events (id) where position is null;
  create index webhook_events_at on webhook_events (at);
  -- The event of a deletion waits for clicks that are not counted yet, which look it up by the link (outbox/deletions.ts).
  create index webhook_events_subject on webhook_events ((subject ->> 'id'))
    where position is null or type = 'link.deleted';

  create table webhook_clicks (
    id bigint generated always as identity primary key,
    account_id uuid not null constraint webhook_clicks_account_id_foreign references users (id) on delete cascade,
    at timestamptz(3) not null,
    clicks bigint[] not null
  );
  create index webhook_clicks_at on webhook_clicks (at);
  create index webhook_clicks_account_id on webhook_clicks (account_id);

  create table webhook_deliveries (
    id uuid not null primary key,
    webhook_id uuid not null
      constraint webhook_deliveries_webhook_id_foreign references webhooks (id) on delete cascade,
    event_id uuid not null,
    type text not null,
    at timestamptz(3) not null,
    attempt integer not null,
    ok boolean not null,
    status smallint,
    duration_ms integer not null,
    failure text,
    answer text
  );
  create index webhook_deliveries_webhook_id_id on webhook_deliveries (webhook_id, id desc);
  create index webhook_deliveries_at on webhook_deliveries (at);

  -- Triggers write an event in the transaction of the change, and only if a webhook of the account wants it.
  create function record_webhook_event(account uuid, event text, subject jsonb) returns void
  language sql as $$
    insert into webhook_events (account_id, type, subject)
    select account, event, subject
    where exists (select from webhooks where account_id = account and active and event = any (events))
  $$;

  -- Whether there is a password is told, not its hash.
  create function webhook_subject(link jsonb) returns jsonb immutable
  language sql as $$
    select case when link ->> 'password_hash' is null then link else link || '{"password_hash": "***"}' end
  $$;

  -- Looks for a webhook first: turning the row into JSON costs more than that.
  create function record_link_event() returns trigger language plpgsql as $$
  declare
    link record;
  begin
    if tg_op = 'DELETE' then link := old; else link := new; end if;
    if exists (select from webhooks where account_id = link.account_id and active and tg_argv[0] = any (events)) then
      insert into webhook_events (account_id, type, subject)
      values (link.account_id, tg_argv[0], webhook_subject(to_jsonb(link)));
    end if;
    return null;
  end $$;
  create trigger record_link_created after insert on links
    for each row when (new.account_id is not null) execute function record_link_event('link.created');
  -- Every change sets updated_at, except those of operators; counting clicks sets neither.
  create trigger record_link_updated after update of updated_at, disabled_at on links
    for each row when (new.account_id is not null) execute function record_link_event('link.updated');
  -- Once each time the limit is reached: not while it stays reached, and again after it was raised. One update at a time
  -- counts clicks of a link, so that no two transactions see the same crossing.
  create trigger record_link_limit_reached after update of click_count on links
    for each row when (new.account_id is not null and new.click_limit is not null
      and new.click_count >= new.click_limit
      and (old.click_limit is null or old.click_count < old.click_limit))
    execute function record_link_event('link.limit_reached');

  -- Also for webhooks that only want "link.limit_reached", as a click that is not counted yet may reach the limit. Before
  -- the deletion, since the link's tags are deleted with it.
  create function record_link_deletion() returns trigger language plpgsql as $$
  begin
    if exists (
      select from webhooks where account_id = old.account_id and active
        and ('link.deleted' = any (events)
          or ('link.limit_reached' = any (events) and old.click_count < old.click_limit))
    ) then
      insert into webhook_events (account_id, type, subject)
      values (old.account_id, 'link.deleted',
        webhook_subject(to_jsonb(old)) || jsonb_build_object('tags', tags_of_link(old.id)));
    end if;
    return old;
  end $$;
  create trigger record_link_deleted before delete on links
    for each row when (old.account_id is not null) execute function record_link_deletion();

  create function record_domain_event() returns trigger language plpgsql as $$
  begin
    perform record_webhook_event(new.account_id, 'domain.' || new.status, to_jsonb(new));
    return null;
  end $$;
  create trigger record_domain_event after update of status on domains
    for each row when (new.status <> old.status and new.status <> 'pending') execute function record_domain_event();

  create table link_health (
    link_id uuid not null primary key constraint link_health_link_id_foreign references links (id) on delete cascade,
    account_id uuid not null constraint link_health_account_id_foreign references users (id) on delete cascade,
    host text not null,
    status text,
    since timestamptz(3),
    checked_at timestamptz(3),
    failures smallint not null default 0,
    next_at timestamptz(3) not null
  );
  create index link_health_host_next_at on link_health (host, next_at);
  create index link_health_account_id_status on link_health (account_id, status);

  create table health_hosts (
    host text not null primary key,
    next_at timestamptz(3) not null
  );
  create index health_hosts_next_at on health_hosts (next_at);

  -- What is known of the old destination says nothing about the new one.
  create function forget_link_health() returns trigger language plpgsql as $$
  begin
    delete from link_health where link_id = new.id;
    return null;
  end $$;
  create trigger forget_link_health after update of destination on links
    for each row when (new.destination <> old.destination) execute function forget_link_health();

  -- Conditions on the clicks of an account, of which its webhooks get events
  create table alerts (
    id uuid not null primary key,
    account_id uuid not null constraint alerts_account_id_foreign references users (id) on delete cascade,
    name text not null,
    kind text not null,
    link_id uuid constraint alerts_link_id_foreign references links (id) on delete cascade,
    tag_id uuid constraint alerts_tag_id_foreign references tags (id) on delete cascade,
    hours integer,
    factor double precision,
    active boolean not null,
    fired_at timestamptz(3),
    is_on boolean not null default false,
    next_at timestamptz(3) not null,
    created_at timestamptz(3) not null
  );
  create index alerts_account_id on alerts (account_id);
  create index alerts_link_id on alerts (link_id);
  create index alerts_tag_id on alerts (tag_id);
  create index alerts_next_at on alerts (next_at) where active;

  -- Reports on clicks that people without an account may read, each under a secret address
  create table shared_reports (
    id uuid not null primary key,
    account_id uuid not null constraint shared_reports_account_id_foreign references users (id) on delete cascade,
    hash bytea not null constraint shared_reports_hash_unique unique,
    name text not null,
    link_id uuid,
    tag_id uuid constraint shared_reports_tag_id_foreign references tags (id) on delete cascade,
    password_hash text,
    active boolean not null default true,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    last_opened_at timestamptz(3)
  );
  create index shared_reports_account_id on shared_reports (account_id);
  create index shared_reports_tag_id on shared_reports (tag_id);

  -- Reports of abuse by visitors. What was reported is copied, because a report outlives its link: an account that deletes
  -- what was reported is still found.
  create table reports (
    id uuid not null primary key,
    link_id uuid not null,
    account_id uuid constraint reports_account_id_foreign references users (id) on delete cascade,
    short_url text not null,
    destination text not null,
    reason text not null,
    details text,
    network text not null,
    created_at timestamptz(3) not null,
    closed_at timestamptz(3)
  );
  -- A network has one open report of a link; the index also finds all of a link.
  create unique index reports_open on reports (link_id, network) where closed_at is null;
  create index reports_created_at on reports (created_at);
  create index reports_account_id on reports (account_id);

  -- How far the clicks of each link are imported from another service
  create table import_positions (
    link_id uuid not null constraint import_positions_link_id_foreign references links (id) on delete cascade,
    source text not null,
    position bigint not null,
    last_at timestamptz(3) not null,
    primary key (link_id, source)
  );
`;
