import { ownDomainId } from "../../kernel/host-names.ts";

/** Links and buckets, their tags and looks, and what lists of many links are read from. */
export const links = `
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;

  -- Folds the case of texts that are compared alike, whatever the locale of the database: a Turkish "lower" makes a dotless
  -- letter of I. The first collation is part of PostgreSQL 17 and never changes; the other one needs ICU, as most builds have.
  do $do$ begin
    execute format(
      'create function fold_case(text) returns text immutable parallel safe language sql
        return lower($1 collate pg_catalog.%I)',
      coalesce(
        (select collname from pg_collation where collname in ('pg_c_utf8', 'und-x-icu') order by 1 limit 1), 'default'));
  end $do$;

  -- A bucket's page and its items are rows of "links" without an account, so one constraint covers all slugs, and
  -- redirects, purges and counts need no extra code. The page has the bucket's id; an item has a position.
  create table buckets (
    id uuid not null primary key,
    account_id uuid not null constraint buckets_account_id_foreign references users (id) on delete cascade,
    name text not null,
    description text,
    accent_color text,
    last_number integer not null,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );
  create index buckets_account_id_created_at_id on buckets (account_id, created_at desc, id desc);

  -- Apart from the bucket, so that reading buckets does not read images. A change also updates the bucket.
  create table bucket_avatars (
    bucket_id uuid not null primary key
      constraint bucket_avatars_bucket_id_foreign references buckets (id) on delete cascade,
    name text not null,
    image bytea not null
  );

  -- The PNG that an account's QR codes may have in the middle
  create table qr_logos (
    account_id uuid not null primary key
      constraint qr_logos_account_id_foreign references users (id) on delete cascade,
    image bytea not null
  );

  -- Every click updates the row of its link; free space in pages keeps these updates off the indexes (HOT).
  create table links (
    id uuid not null primary key,
    account_id uuid constraint links_account_id_foreign references users (id) on delete cascade,
    bucket_id uuid constraint links_bucket_id_foreign references buckets (id) on delete cascade,
    domain_id uuid not null default '${ownDomainId}'
      constraint links_domain_id_foreign references domains (id),
    slug text not null,
    destination text not null,
    title text,
    notes text,
    qr jsonb,
    position smallint,
    created_by text,
    created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null,

    -- last_click_at has no index: every click would write to it, and to all other indexes of the row.
    click_count bigint not null default '0',
    last_click_at timestamptz(3),
    is_clicked boolean not null default false,
    fallbacks bigint not null default '0',
    -- A total of another service, which has no clicks behind it
    imported_clicks bigint not null default '0',

    -- Whether it works: by its owner, by an operator, by time and by clicks; where visitors are sent otherwise
    is_active boolean not null default true,
    disabled_at timestamptz(3),
    disabled_reason text,
    starts_at timestamptz(3),
    expires_at timestamptz(3),
    click_limit integer,
    fallback_url text,

    -- What visitors get
    password_hash text,
    rules jsonb,
    geo_rules jsonb,
    ab_test jsonb,
    redirect_status integer,
    forward_path boolean,
    forward_query text,
    preview jsonb,
    constraint links_domain_id_slug_unique unique (domain_id, slug)
  ) with (fillfactor = 90);

  -- A deleted link frees its slug, but its counts stay in the account.
  create table deleted_links (
    id uuid not null primary key,
    account_id uuid references users (id) on delete cascade,
    domain_id uuid not null,
    slug text not null,
    destination text not null,
    title text,
    created_by text,
    created_at timestamptz(3) not null,
    deleted_at timestamptz(3) not null
  );
  create index deleted_links_account_id_created_at_id on deleted_links (account_id, created_at desc, id desc);
  -- The retention clears destinations after 30 days.
  create index deleted_links_with_destination on deleted_links (deleted_at) where destination <> '';

  create table tags (
    id uuid not null primary key default gen_random_uuid(),
    account_id uuid not null constraint tags_account_id_foreign references users (id) on delete cascade,
    name text not null,
    key text not null,
    constraint tags_account_id_key_unique unique (account_id, key)
  );
  create table link_tags (
    tag_id uuid not null constraint link_tags_tag_id_foreign references tags (id) on delete cascade,
    link_id uuid not null constraint link_tags_link_id_foreign references links (id) on delete cascade,
    primary key (tag_id, link_id)
  );
  -- Also finds the rows of a link that is deleted.
  create index link_tags_link_id on link_tags (link_id) include (tag_id);

  -- Finds links by slug alone, on any domain of an account. The unique index begins with the domain: it would be read
  -- once per domain, or not at all before PostgreSQL 18.
  create index links_slug on links using hash (slug);
  create index links_bucket_id on links (bucket_id) where bucket_id is not null;

  -- The search has the first 400 characters of a destination instead of up to 8,000: a random one of that length took
  -- ten times as long to insert. Longer destinations are found by a second index and compared one by one.
  create index links_search on links using gin
    (account_id, fold_case(slug) gin_trgm_ops, fold_case(title) gin_trgm_ops,
     lower(left(destination, 400) collate "C") gin_trgm_ops);
  create index links_long_destination on links (account_id) where octet_length(destination) > 400;

  -- Orders of lists
  create index links_account_id_created_at_id on links (account_id, created_at desc, id desc);
  create index links_account_id_updated_at_id on links (account_id, updated_at desc, id desc);
  create index links_account_id_slug_id_created_at on links (account_id, slug collate "C", id, created_at);

  -- Filters of lists
  create index links_on_domains on links (domain_id, created_at desc, id desc) where domain_id <> '${ownDomainId}';
  create index links_unclicked_created_at on links (account_id, id, created_at) where not is_clicked;
  create index links_inactive on links (account_id, id) where not is_active or disabled_at is not null;
  create index links_starting on links (account_id, starts_at) where starts_at is not null;
  create index links_expiring on links (account_id, expires_at) where expires_at is not null;
  create index links_with_limit on links (account_id, id) where click_limit is not null;
  create index links_with_password on links (account_id, id) where password_hash is not null;
  create index links_with_rules on links (account_id, id) where rules is not null or geo_rules is not null;
  create index links_with_ab_test on links (account_id, id) where ab_test is not null;
  create index links_with_preview on links (account_id, id) where preview is not null;

  -- The order by clicks is in a table of its own: an index on the links' counters would make every click write to all indexes
  -- of links. Triggers keep it right whatever counts a click. Links without a click have no row there, and are marked.
  create table link_ranks (
    link_id uuid not null primary key constraint link_ranks_link_id_foreign references links (id) on delete cascade,
    account_id uuid not null,
    click_count bigint not null,
    last_click_at timestamptz(3)
  ) with (fillfactor = 80);
  create index link_ranks_click_count on link_ranks (account_id, click_count, link_id);
  create index link_ranks_last_click_at on link_ranks (account_id, last_click_at, link_id);

  create function rank_links() returns trigger language plpgsql as $$
  begin
    insert into link_ranks
    select id, account_id, click_count, last_click_at from changed
    where account_id is not null and (click_count > 0 or last_click_at is not null) order by id
    on conflict (link_id) do update
    set click_count = excluded.click_count, last_click_at = excluded.last_click_at
    where (link_ranks.click_count, link_ranks.last_click_at)
      is distinct from (excluded.click_count, excluded.last_click_at);
    delete from link_ranks using changed
    where link_id = changed.id and changed.click_count = 0 and changed.last_click_at is null;
    return null;
  end $$;
  create trigger rank_links after update on links
    referencing new table as changed for each statement execute function rank_links();

  -- A link that is created with clicks, as a restored one is
  create function rank_link() returns trigger language plpgsql as $$
  begin
    insert into link_ranks values (new.id, new.account_id, new.click_count, new.last_click_at);
    return null;
  end $$;
  create trigger rank_link after insert on links for each row
    when (new.account_id is not null and (new.click_count > 0 or new.last_click_at is not null))
    execute function rank_link();

  create function mark_clicked() returns trigger language plpgsql as $$
  begin
    new.is_clicked := new.click_count > 0 and new.last_click_at is not null;
    return new;
  end $$;
  create trigger mark_clicked before insert or update of click_count, last_click_at on links for each row
    when (new.is_clicked <> (new.click_count > 0 and new.last_click_at is not null))
    execute function mark_clicked();
`;
