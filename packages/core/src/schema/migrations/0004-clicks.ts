/** Raw clicks, how far click logs are counted, and what ClickHouse has of them. */
export const clicks = `
  -- The counted position of each click log segment of each node, written in the transaction that counts. A large batch
  -- is counted in parts, each in its own transaction: up to which byte, and which of them are counted (a bit each).
  -- While a stream is used, the position of a segment outlives its file, so that late entries are not counted again.
  create table click_segments (
    id text not null primary key,
    position bigint not null,
    parts_until bigint,
    parts_done integer not null default 0,
    finished_at timestamptz(3)
  );
  create index click_segments_finished_at on click_segments (finished_at) where finished_at is not null;

  -- One row: who drains the stream, and up to which entry it is counted. Without a holder, no stream was ever used.
  create table click_stream (
    holder text,
    until timestamptz(3),
    counted text not null default ''
  );
  insert into click_stream default values;

  -- What the writers of click logs took of the clicks that links are limited to (clicks/permits)
  create table click_permits (
    link_id uuid not null references links (id) on delete cascade,
    writer uuid not null,
    turn bigint not null,
    last integer not null,
    granted bigint not null,
    counted bigint not null default 0,
    updated_at timestamptz(3) not null,
    primary key (link_id, writer)
  );
  create index click_permits_writer on click_permits (writer);

  -- Values that many clicks share are stored once each, so that the row of a click stays small.
  create table click_clients (
    id integer generated always as identity primary key,
    country text not null,
    device text not null,
    browser text not null,
    os text not null,
    constraint click_clients_unique unique (country, device, browser, os)
  );
  create table click_places (
    id integer generated always as identity primary key,
    region text not null,
    city text not null,
    constraint click_places_unique unique (region, city)
  );
  create table click_referrers (
    id integer generated always as identity primary key,
    referrer text not null constraint click_referrers_unique unique,
    channel text not null
  );
  create table click_campaigns (
    id integer generated always as identity primary key,
    account_number integer not null references users (number) on delete cascade,
    utm_source text not null,
    utm_medium text not null,
    utm_campaign text not null,
    utm_term text not null,
    utm_content text not null,
    constraint click_campaigns_unique
      unique (account_number, utm_source, utm_medium, utm_campaign, utm_term, utm_content)
  );
  -- Why a click is a bot's
  create table click_bots (
    id integer generated always as identity primary key,
    bot text not null,
    rule text not null,
    constraint click_bots_unique unique (bot, rule)
  );

  -- The campaigns of a link on a day are limited; a row says that the link has one, by a hash of its text.
  create table link_campaigns (
    link_id uuid not null,
    day date not null,
    campaign uuid not null,
    primary key (link_id, day, campaign)
  );

  -- Salts and hashes are kept for their UTC day; afterwards two visits of one person cannot be linked.
  create table click_salts (
    day date not null primary key,
    salt bytea not null
  );
  create table click_visitors (
    day date not null,
    visitor bigint not null,
    primary key (day, visitor)
  );

  -- A click's id is its time in milliseconds since the epoch, shifted left by 20 bits, and a sequence number.
  create table clicks (
    id bigint not null,
    link_id uuid not null,
    account_number integer,
    client_id integer not null,
    referrer_id integer not null,
    variant smallint,
    is_bot boolean not null,
    is_unique boolean not null,
    campaign_id integer,
    bot_id integer,
    place_id integer
  ) partition by range (id);

  -- With all that a filter of an account's clicks needs, so that it reads no rows: those of one account are far apart
  -- in a service with many.
  create index clicks_people on clicks (account_number, id)
    include (link_id, client_id, referrer_id, variant, is_unique)
    where not is_bot and account_number is not null;
  create index clicks_campaigns on clicks (account_number, id)
    include (link_id, client_id, referrer_id, variant, campaign_id, is_unique)
    where not is_bot and campaign_id is not null and account_number is not null;
  create index clicks_bots on clicks (account_number, id)
    include (link_id, client_id, referrer_id, variant, bot_id)
    where is_bot and account_number is not null;

  -- Clicks of days that ended, many in a row (clicks/blocks). Account 0 has those without an account. "first" and "last"
  -- are times in milliseconds of the day.
  create table click_blocks (
    account_number integer not null,
    is_bot boolean not null,
    day date not null,
    part integer not null,
    clicks integer not null,
    first integer not null,
    last integer not null,
    packed bytea not null,
    sequences bytea not null,
    primary key (account_number, is_bot, day, part)
  );
  -- They are small already, and every report with a filter reads them.
  alter table click_blocks
    alter column packed set storage external,
    alter column sequences set storage external;

  create table clickhouse_copy (
    one boolean not null default true primary key check (one),
    is_live boolean not null,
    since bigint,
    claimed bigint not null,
    shipped bigint not null,
    token uuid not null
  );
  create table clickhouse_queue (
    number bigint generated always as identity primary key,
    shipment bigint,
    clicks integer not null,
    rows text not null
  );
  -- Its trigger on "clicks" is created when a copy begins, so that services without ClickHouse do not pay for it.
  create function queue_for_clickhouse() returns trigger language plpgsql as $$
  begin
    insert into clickhouse_queue (clicks, rows)
    select count(*), string_agg(concat_ws(E'\\t', id, account_number, is_bot::int, link_id, client_id, referrer_id,
      coalesce(campaign_id, -1), coalesce(bot_id, -1), coalesce(variant, -1), is_unique::int,
      coalesce(place_id, -1)), E'\\n')
    from added where account_number is not null having count(*) > 0;
    return null;
  end $$;
`;
