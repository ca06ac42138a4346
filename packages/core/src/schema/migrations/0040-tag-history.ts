import { Migration } from "@mikro-orm/migrations";

/** Queries for the rows of `link_tags` that a statement added, removed or moved to another tag. */
const changedRows = {
  INSERT: "select tag_id, link_id, true as is_added from added",
  DELETE: "select tag_id, link_id, false as is_added from removed",
  UPDATE:
    "select tag_id, link_id, true as is_added from added union all select tag_id, link_id, false from removed",
};

/** A tag of more links is renamed or deleted without a record, because that would take longer than a statement may. */
const maxRecorded = 200_000;

/**
 * The names of a link's tags in the history, as if they were a column of the link. Triggers record what gives or takes tags,
 * renames, merges or deletes them. A deleted link has its tags among its columns.
 */
export class TagHistory extends Migration {
  override up(): void {
    this.addSql(`create function tags_of_link(link uuid) returns jsonb stable language sql as $$
      select coalesce(jsonb_agg(name order by key collate "C"), '[]') from link_tags join tags on id = tag_id
      where link_id = link
    $$`);
    this.recordTags();
    this.recordNames();
  }

  /** Nothing is recorded of new links: "terse.new_links" is "on" in the statement that gives them their tags. */
  private recordTags(): void {
    // A change of many links, which is opened by the first statement that records something of the account.
    this.addSql(`create function open_change_of_many(account uuid) returns uuid language plpgsql as $$
      declare
        recorded text := coalesce(current_setting('terse.recorded', true), '');
        told jsonb := nullif(current_setting('terse.change', true), '')::jsonb;
        change uuid;
      begin
        if split_part(recorded, '/', 1) = account::text then
          change := nullif(split_part(recorded, '/', 2), '')::uuid;
          update changes set links = null, bytes = null where id = change and links is not null;
        else
          insert into changes (id, account_id, at, action, by_kind, by_name, undoes)
          select coalesce((told ->> 'id')::uuid, gen_random_uuid()), account,
            coalesce((told ->> 'at')::timestamptz, clock_timestamp()), 'update',
            coalesce(told ->> 'kind', 'system'), told ->> 'name', (told ->> 'undoes')::uuid
          from users where id = account and erased_at is null
          on conflict (id) do update set links = null, bytes = null where changes.account_id = excluded.account_id
          returning id into change;
        end if;
        perform set_config('terse.recorded', account || '/' || coalesce(change::text, '') || '/many', true);
        return change;
      end $$`);
    // The three arrays have a link, the name of a tag, and whether the link has that since just now. A link that is deleted
    // loses its tags by the foreign key, before the deletion itself is recorded: both become one change.
    this.addSql(`create function record_tag_changes(account uuid, link_ids uuid[], names text[], are_added boolean[])
      returns void language plpgsql as $$
      declare
        change uuid;
        count bigint := (select count(distinct link_id) from unnest(link_ids) link_id);
      begin
        if count > ${maxRecorded} then return; end if;
        if count = 1 then
          perform record_link_change(link_id, account, case when tags is null then 'delete' else 'update' end,
            jsonb_build_object('tags', coalesce(tags - added, '[]') || to_jsonb(removed)),
            case when tags is not null then jsonb_build_object('tags', tags) end, null)
          from (
            select link_ids[1] as link_id, (select tags_of_link(id) from links where id = link_ids[1]) as tags,
              coalesce(array_agg(name) filter (where is_added), '{}') as added,
              coalesce(array_agg(name) filter (where not is_added), '{}') as removed
            from unnest(names, are_added) as t (name, is_added)
          ) changed;
          return;
        end if;
        change := open_change_of_many(account);
        if change is null then return; end if;
        with differences as (
          select link_id, coalesce(array_agg(name) filter (where is_added), '{}') as added,
            coalesce(array_agg(name) filter (where not is_added), '{}') as removed
          from unnest(link_ids, names, are_added) as t (link_id, name, is_added) group by link_id
        ), tagged as (
          select l.id as link_id, coalesce(jsonb_agg(name order by key collate "C") filter (where name is not null), '[]') as tags
          from differences join links l on l.id = link_id
          left join link_tags lt on lt.link_id = l.id left join tags on tags.id = tag_id group by l.id
        ), changed as materialized (
          select link_id, jsonb_build_object('tags', (tags - added) || to_jsonb(removed)) as before,
            jsonb_build_object('tags', tags) as after
          from differences join tagged using (link_id)
        ), merged as (
          update link_changes l set bytes = l.bytes + 200,
            before = case when l.before is not null then changed.before || l.before end,
            after = coalesce(l.after, '{}') || changed.after
          from changed where l.change_id = change and l.link_id = changed.link_id returning l.link_id
        )
        insert into link_changes (link_id, change_id, before, after, bytes)
        select link_id, change, before, after, 200 + pg_column_size(before) + pg_column_size(after) from changed
        where link_id not in (select link_id from merged) order by link_id;
      end $$`);
    const record = (rows: string) => `perform record_tag_changes(
        account_id, array_agg(link_id), array_agg(name), array_agg(is_added))
      from (${rows}) changed join tags on id = tag_id group by account_id;`;
    this.addSql(`create function record_tags() returns trigger language plpgsql as $$
      begin
        if current_setting('terse.new_links', true) = 'on' then return null; end if;
        if tg_op = 'INSERT' then ${record(changedRows.INSERT)}
        elsif tg_op = 'DELETE' then ${record(changedRows.DELETE)}
        else ${record(changedRows.UPDATE)} end if;
        return null;
      end $$`);
    this.addSql(`create trigger record_added_tags after insert on link_tags
      referencing new table as added for each statement execute function record_tags()`);
    this.addSql(`create trigger record_removed_tags after delete on link_tags
      referencing old table as removed for each statement execute function record_tags()`);
    this.addSql(`create trigger record_moved_tags after update on link_tags
      referencing old table as removed new table as added for each statement execute function record_tags()`);
  }

  private recordNames(): void {
    this.addSql(`create function record_tag_name() returns trigger language plpgsql as $$
      begin
        perform record_tag_changes(new.account_id, array_agg(link_id), array_agg(name), array_agg(is_added))
        from link_tags, (values (new.name, true), (old.name, false)) as t (name, is_added)
        where tag_id = new.id having count(*) > 0;
        return null;
      end $$`);
    this.addSql(`create trigger record_tag_name after update of name on tags
      for each row when (new.name <> old.name) execute function record_tag_name()`);
    // While the tag still has its name. The foreign key would take it off its links after that.
    this.addSql(`create function take_tag_off() returns trigger language plpgsql as $$
      begin
        delete from link_tags where tag_id = old.id;
        return old;
      end $$`);
    this.addSql(
      `create trigger take_tag_off before delete on tags for each row execute function take_tag_off()`,
    );
  }
}
