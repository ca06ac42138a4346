import { Migration } from "@mikro-orm/migrations";

/**
 * The history of links. Triggers record what changes, in the transaction that changes it, so that every writer is covered:
 * also an earlier version that runs beside this one, and SQL by hand. A creation is not recorded: the link itself says when
 * it was created, and by whom.
 */
export class History extends Migration {
  override up(): void {
    this.addSql(`alter table links add column created_by text`);
    this.addSql(`alter table deleted_links add column created_at timestamptz(3), add column created_by text`);
    this.addSql(`create index deleted_links_account_id_created_at_id
      on deleted_links (account_id, created_at desc, id desc) where created_at is not null`);
    // Since when an account's history is complete, if some of it was deleted to make room.
    this.addSql(`alter table users add column history_from timestamptz(3)`);

    // One change may be of many links. Their number and the bytes are null until they are counted.
    this.addSql(`create table changes (
      id uuid not null primary key,
      account_id uuid not null constraint changes_account_id_foreign references users (id) on delete cascade,
      at timestamptz(3) not null,
      action text not null,
      by_kind text not null,
      by_name text,
      links integer,
      bytes bigint,
      undoes uuid,
      undone_by uuid
    )`);
    this.addSql(`create index changes_account_id_at_id on changes (account_id, at desc, id desc)`);
    this.addSql(`create index changes_at on changes (at)`);
    this.addSql(`create index changes_undoes on changes (undoes) where undoes is not null`);
    this.addSql(`create index changes_uncounted on changes (id) where links is null`);

    // The columns that changed. "place" orders the changes of a link: it is drawn while the link's row is locked.
    this.addSql(`create table link_changes (
      link_id uuid not null,
      place bigint generated always as identity,
      change_id uuid not null constraint link_changes_change_id_foreign references changes (id) on delete cascade,
      before jsonb,
      after jsonb,
      bytes integer not null,
      primary key (link_id, place)
    )`);
    this.addSql(`create index link_changes_change_id on link_changes (change_id, link_id)`);

    this.addRecorder();
    this.addTriggers();
  }

  /**
   * "terse.change" is what the transaction says about its change: {id, at, kind, name, undoes}. "terse.recorded" is what has
   * been recorded in it: account/change/one or many. Nothing is recorded of an account that is being erased.
   */
  private addRecorder(): void {
    this.addSql(`create function record_link_change(
        link uuid, account uuid, action text, before jsonb, after jsonb, at timestamptz
      ) returns void language plpgsql as $$
      declare
        recorded text := coalesce(current_setting('terse.recorded', true), '');
        told jsonb := nullif(current_setting('terse.change', true), '')::jsonb;
        size integer := 200 + coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(after), 0);
        change uuid;
      begin
        if split_part(recorded, '/', 1) = account::text then
          change := nullif(split_part(recorded, '/', 2), '')::uuid;
          if change is null then return; end if;
          -- Two changes of a link in a transaction are one, from the first value to the last.
          update link_changes l set bytes = l.bytes + size,
            before = case when l.before is not null then coalesce(record_link_change.before, '{}') || l.before end,
            after = case when record_link_change.after is not null
              then coalesce(l.after, '{}') || record_link_change.after end
          where l.change_id = change and l.link_id = link;
          if found then return; end if;
          if split_part(recorded, '/', 3) = 'one' then
            update changes set links = null, bytes = null where id = change;
            perform set_config('terse.recorded', account || '/' || change || '/many', true);
          end if;
        else
          insert into changes (id, account_id, at, action, by_kind, by_name, links, bytes, undoes)
          select coalesce((told ->> 'id')::uuid, gen_random_uuid()), account,
            coalesce((told ->> 'at')::timestamptz, record_link_change.at, clock_timestamp()), record_link_change.action,
            coalesce(told ->> 'kind', 'system'), told ->> 'name', 1, size, (told ->> 'undoes')::uuid
          from users where id = account and erased_at is null
          on conflict (id) do update set links = null, bytes = null where changes.account_id = excluded.account_id
          returning id into change;
          perform set_config('terse.recorded', account || '/' || coalesce(change::text, '') || '/one', true);
          if change is null then return; end if;
        end if;
        insert into link_changes (link_id, change_id, before, after, bytes) values (link, change, before, after, size);
      end $$`);
  }

  /** A change that is made for an account sets "updated_at"; one by an operator sets "disabled_at"; counting sets neither. */
  private addTriggers(): void {
    this.addSql(`create function record_link_update() returns trigger language plpgsql as $$
      declare
        was jsonb := to_jsonb(old);
        before jsonb;
        after jsonb;
      begin
        select jsonb_object_agg(key, was -> key), jsonb_object_agg(key, value) into before, after
        from jsonb_each(to_jsonb(new)) where value <> was -> key and key <> 'updated_at';
        if before is null then return null; end if;
        perform record_link_change(new.id, new.account_id,
          case when old.disabled_at is not distinct from new.disabled_at then 'update'
            when new.disabled_at is null then 'enable' else 'disable' end,
          before, after, case when before ? 'disabled_at' then null else new.updated_at end);
        return null;
      end $$`);
    this.addSql(`create trigger record_link_update after update of updated_at, disabled_at on links
      for each row when (new.account_id is not null) execute function record_link_update()`);

    this.addSql(`create function record_link_delete() returns trigger language plpgsql as $$
      begin
        perform record_link_change(old.id, old.account_id, 'delete',
          (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(old)) where value <> 'null'), null, null);
        return null;
      end $$`);
    this.addSql(`create trigger record_link_delete after delete on links
      for each row when (old.account_id is not null) execute function record_link_delete()`);
  }
}
