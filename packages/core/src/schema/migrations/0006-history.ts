/** Queries for the rows of `link_tags` that a statement added, removed or moved to another tag. */
const changedRows = {
  INSERT: "select tag_id, link_id, true as is_added from added",
  DELETE: "select tag_id, link_id, false as is_added from removed",
  UPDATE:
    "select tag_id, link_id, true as is_added from added union all select tag_id, link_id, false from removed",
};

/** A tag of more links is renamed or deleted without a record, because that would take longer than a statement may. */
const maxRecorded = 200_000;

const record = (rows: string) => `perform record_tag_changes(
        account_id, array_agg(link_id), array_agg(name), array_agg(is_added))
      from (${rows}) changed join tags on id = tag_id group by account_id;`;

/**
 * The history of links. Triggers record what changes, in the transaction that changes it, so that every writer is covered,
 * also SQL by hand. A creation is not recorded: the link itself says when it was created, and by whom.
 *
 * Two settings of a transaction are about it. "terse.change" is what the transaction says about its change: {id, at, kind, name,
 * undoes}. "terse.recorded" is what has been recorded in it: account/change/one or many. Nothing is recorded of an account that
 * is being erased.
 */
export const history = `
  -- One change may be of many links. Their number and the bytes are null until they are counted.
  create table changes (
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
  );
  create index changes_account_id_at_id on changes (account_id, at desc, id desc);
  create index changes_at on changes (at);
  create index changes_undoes on changes (undoes) where undoes is not null;
  create index changes_uncounted on changes (id) where links is null;

  -- The columns that changed. "place" orders the changes of a link: it is drawn while the link's row is locked.
  create table link_changes (
    link_id uuid not null,
    place bigint generated always as identity,
    change_id uuid not null constraint link_changes_change_id_foreign references changes (id) on delete cascade,
    before jsonb,
    after jsonb,
    bytes integer not null,
    primary key (link_id, place)
  );
  create index link_changes_change_id on link_changes (change_id, link_id);

  -- A change that is made for an account sets "updated_at"; one by an operator sets "disabled_at"; counting sets neither.
  create function record_link_change(
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
  end $$;

  create function record_link_update() returns trigger language plpgsql as $$
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
  end $$;
  create trigger record_link_update after update of updated_at, disabled_at on links
    for each row when (new.account_id is not null) execute function record_link_update();

  create function record_link_delete() returns trigger language plpgsql as $$
  begin
    perform record_link_change(old.id, old.account_id, 'delete',
      (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(old)) where value <> 'null'), null, null);
    return null;
  end $$;
  create trigger record_link_delete after delete on links
    for each row when (old.account_id is not null) execute function record_link_delete();

  -- The names of a link's tags, as if they were a column of the link; a deleted link has them among its columns. Nothing is
  -- recorded of new links: "terse.new_links" is "on" in the statement that gives them their tags.
  create function tags_of_link(link uuid) returns jsonb stable language sql as $$
    select coalesce(jsonb_agg(name order by key collate "C"), '[]') from link_tags join tags on id = tag_id
    where link_id = link
  $$;

  -- A change of many links, which is opened by the first statement that records something of the account
  create function open_change_of_many(account uuid) returns uuid language plpgsql as $$
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
  end $$;

  -- The three arrays have a link, the name of a tag, and whether the link has that since just now. A link that is deleted
  -- loses its tags by the foreign key, before the deletion itself is recorded: both become one change. The links of many
  -- changes need not exist any more: PostgreSQL runs the trigger of tags once for all links that a statement deletes.
  create function record_tag_changes(
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
  end $$;

  create function record_tags() returns trigger language plpgsql as $$
  begin
    if current_setting('terse.new_links', true) = 'on' then return null; end if;
    if tg_op = 'INSERT' then ${record(changedRows.INSERT)}
    elsif tg_op = 'DELETE' then ${record(changedRows.DELETE)}
    else ${record(changedRows.UPDATE)} end if;
    return null;
  end $$;
  create trigger record_added_tags after insert on link_tags
    referencing new table as added for each statement execute function record_tags();
  create trigger record_removed_tags after delete on link_tags
    referencing old table as removed for each statement execute function record_tags();
  create trigger record_moved_tags after update on link_tags
    referencing old table as removed new table as added for each statement execute function record_tags();

  create function record_tag_name() returns trigger language plpgsql as $$
  begin
    perform record_tag_changes(new.account_id, array_agg(link_id), array_agg(name), array_agg(is_added))
    from link_tags, (values (new.name, true), (old.name, false)) as t (name, is_added)
    where tag_id = new.id having count(*) > 0;
    return null;
  end $$;
  create trigger record_tag_name after update of name on tags
    for each row when (new.name <> old.name) execute function record_tag_name();

  -- While the tag still has its name. The foreign key would take it off its links after that.
  create function take_tag_off() returns trigger language plpgsql as $$
  begin
    delete from link_tags where tag_id = old.id;
    return old;
  end $$;
  create trigger take_tag_off before delete on tags for each row execute function take_tag_off();
`;
