import { Migration } from "@mikro-orm/migrations";

/** See 0040: a tag of more links is renamed or deleted without a record. */
const maxRecorded = 200_000;

/** Links that are deleted together have their tags among their columns in the history, as one that is deleted alone has. */
export class TagsOfDeletedLinks extends Migration {
  override up(): void {
    // As in 0040, but the links of many changes need not exist any more: PostgreSQL runs the trigger of tags once for all links
    // that a statement deletes.
    this.addSql(`create or replace function record_tag_changes(
        account uuid, link_ids uuid[], names text[], are_added boolean[]
      ) returns void language plpgsql as $$
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
          select d.link_id, case when l.id is not null
            then coalesce(jsonb_agg(name order by key collate "C") filter (where name is not null), '[]') end as tags
          from differences d left join links l on l.id = d.link_id
          left join link_tags lt on lt.link_id = l.id left join tags on tags.id = tag_id group by d.link_id, l.id
        ), changed as materialized (
          select link_id, jsonb_build_object('tags', coalesce(tags - added, '[]') || to_jsonb(removed)) as before,
            case when tags is not null then jsonb_build_object('tags', tags) end as after
          from differences join tagged using (link_id)
        ), merged as (
          update link_changes l set bytes = l.bytes + 200,
            before = case when l.before is not null then changed.before || l.before end,
            after = case when changed.after is not null then coalesce(l.after, '{}') || changed.after end
          from changed where l.change_id = change and l.link_id = changed.link_id returning l.link_id
        )
        insert into link_changes (link_id, change_id, before, after, bytes)
        select link_id, change, before, after, 200 + pg_column_size(before) + coalesce(pg_column_size(after), 0)
        from changed where link_id not in (select link_id from merged) order by link_id;
      end $$`);
  }
}
