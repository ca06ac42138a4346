import { Migration } from "@mikro-orm/migrations";

/**
 * Webhooks, the log of events that they deliver, and the health of links. Triggers write an event in the transaction of the
 * change, and only if a webhook of the account wants it, so that versions that know no webhooks write events too.
 */
export class WebhooksAndHealth extends Migration {
  override up(): void {
    const account = (table: string) =>
      `account_id uuid not null constraint ${table}_account_id_foreign references users (id) on delete cascade`;

    this.addSql(`create table webhooks (
      id uuid not null primary key,
      ${account("webhooks")},
      url text not null,
      events text[] not null,
      active boolean not null,
      inactive_reason text,
      secret bytea not null,
      old_secret bytea,
      old_secret_until timestamptz(3),
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
    )`);
    this.addSql(`create index webhooks_account_id on webhooks (account_id)`);
    this.addSql(`create index webhooks_next_at on webhooks (next_at) where active and position < latest`);

    // One row: the position of the last event in the log. Its lock lets one node at a time give positions.
    this.addSql(`create table webhook_log (last bigint not null)`);
    this.addSql(`insert into webhook_log values (0)`);

    this.addSql(`create table webhook_events (
      id bigint generated always as identity primary key,
      ${account("webhook_events")},
      position bigint,
      event_id uuid not null default gen_random_uuid() constraint webhook_events_event_id_unique unique,
      type text not null,
      at timestamptz(3) not null default clock_timestamp(),
      subject jsonb,
      clicks bigint[]
    )`);
    this.addSql(`create index webhook_events_position on webhook_events (account_id, position)`);
    this.addSql(`create index webhook_events_waiting on webhook_events (id) where position is null`);
    this.addSql(`create index webhook_events_at on webhook_events (at)`);

    this.addSql(`create table webhook_clicks (
      id bigint generated always as identity primary key,
      ${account("webhook_clicks")},
      at timestamptz(3) not null,
      clicks bigint[] not null
    )`);
    this.addSql(`create index webhook_clicks_at on webhook_clicks (at)`);
    this.addSql(`create index webhook_clicks_account_id on webhook_clicks (account_id)`);

    this.addSql(`create table webhook_deliveries (
      id uuid not null primary key,
      webhook_id uuid not null constraint webhook_deliveries_webhook_id_foreign references webhooks (id) on delete cascade,
      event_id uuid not null,
      type text not null,
      at timestamptz(3) not null,
      attempt integer not null,
      ok boolean not null,
      status smallint,
      duration_ms integer not null,
      failure text,
      answer text
    )`);
    this.addSql(`create index webhook_deliveries_webhook_id_id on webhook_deliveries (webhook_id, id desc)`);
    this.addSql(`create index webhook_deliveries_at on webhook_deliveries (at)`);

    this.addSql(`create function record_webhook_event(account uuid, event text, subject jsonb) returns void
      language sql as $$
        insert into webhook_events (account_id, type, subject)
        select account, event, subject
        where exists (select from webhooks where account_id = account and active and event = any (events))
      $$`);

    // Whether there is a password is told, not its hash.
    this.addSql(`create function webhook_subject(link jsonb) returns jsonb immutable
      language sql as $$
        select case when link ->> 'password_hash' is null then link else link || '{"password_hash": "***"}' end
      $$`);

    // Looks for a webhook first: turning the row into JSON costs more than that.
    this.addSql(`create function record_link_event() returns trigger language plpgsql as $$
      declare
        link record;
      begin
        if tg_op = 'DELETE' then link := old; else link := new; end if;
        if exists (select from webhooks where account_id = link.account_id and active and tg_argv[0] = any (events)) then
          insert into webhook_events (account_id, type, subject)
          values (link.account_id, tg_argv[0], webhook_subject(to_jsonb(link)));
        end if;
        return null;
      end $$`);
    this.addSql(`create trigger record_link_created after insert on links
      for each row when (new.account_id is not null) execute function record_link_event('link.created')`);
    // Every change sets updated_at, except those of operators; counting clicks sets neither.
    this.addSql(`create trigger record_link_updated after update of updated_at, disabled_at on links
      for each row when (new.account_id is not null) execute function record_link_event('link.updated')`);
    this.addSql(`create trigger record_link_deleted after delete on links
      for each row when (old.account_id is not null) execute function record_link_event('link.deleted')`);

    this.addSql(`create function record_domain_event() returns trigger language plpgsql as $$
      begin
        perform record_webhook_event(new.account_id, 'domain.' || new.status, to_jsonb(new));
        return null;
      end $$`);
    this.addSql(`create trigger record_domain_event after update of status on domains
      for each row when (new.status <> old.status and new.status <> 'pending') execute function record_domain_event()`);

    this.addSql(`create table link_health (
      link_id uuid not null primary key constraint link_health_link_id_foreign references links (id) on delete cascade,
      ${account("link_health")},
      host text not null,
      status text,
      since timestamptz(3),
      checked_at timestamptz(3),
      failures smallint not null default 0,
      next_at timestamptz(3) not null
    )`);
    this.addSql(`create index link_health_host_next_at on link_health (host, next_at)`);
    this.addSql(`create index link_health_account_id_status on link_health (account_id, status)`);
    this.addSql(
      `create table health_hosts (host text not null primary key, next_at timestamptz(3) not null)`,
    );
    this.addSql(`create index health_hosts_next_at on health_hosts (next_at)`);

    // What is known of the old destination says nothing about the new one.
    this.addSql(`create function forget_link_health() returns trigger language plpgsql as $$
      begin
        delete from link_health where link_id = new.id;
        return null;
      end $$`);
    this.addSql(`create trigger forget_link_health after update of destination on links
      for each row when (new.destination <> old.destination) execute function forget_link_health()`);
  }
}
