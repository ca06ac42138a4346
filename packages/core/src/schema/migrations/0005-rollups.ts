/** Sums of clicks, from which every report reads only a few rows. */
export const rollups = `
  -- The values that packed sums name by a number, and a reader of the format that clicks/packed/sums.ts describes.
  create table click_values (
    id integer generated always as identity primary key,
    dimension text not null,
    value text not null,
    constraint click_values_unique unique (dimension, value)
  );

  create function unpack_sums(packed bytea)
  returns table (dimension int, key int, clicks bigint, visitors bigint, bots bigint)
  language plpgsql immutable strict parallel safe as $$
  declare
    numbers bigint[] := '{}';
    number bigint := 0;
    shift int := 0;
    byte int;
    at int := 1;
    dimensions bigint;
    entries bigint;
  begin
    for place in 0 .. length(packed) - 1 loop
      byte := get_byte(packed, place);
      number := number + ((byte & 127)::bigint << shift);
      if byte < 128 then
        numbers := numbers || number;
        number := 0;
        shift := 0;
      else
        shift := shift + 7;
      end if;
    end loop;
    while at <= cardinality(numbers) loop
      dimension := null;
      key := 0;
      entries := numbers[at];
      at := at + 1;
      for entry in 1 .. entries loop
        key := key + numbers[at] / 2;
        if numbers[at] % 2 = 0 then
          clicks := 1; visitors := 1; bots := 0;
          at := at + 1;
        else
          clicks := numbers[at + 1]; visitors := numbers[at + 2]; bots := numbers[at + 3];
          at := at + 4;
        end if;
        return next;
      end loop;
      visitors := null;
      bots := null;
      dimensions := numbers[at];
      at := at + 1;
      for place in 1 .. dimensions loop
        dimension := numbers[at] % 32;
        entries := numbers[at] / 32;
        key := 0;
        at := at + 1;
        for entry in 1 .. entries loop
          key := key + numbers[at] / 2;
          if numbers[at] % 2 = 0 then
            clicks := 1;
            at := at + 1;
          else
            clicks := numbers[at + 1];
            at := at + 2;
          end if;
          return next;
        end loop;
      end loop;
    end loop;
  end $$;

  create table link_days (
    link_id uuid not null,
    day date not null,
    clicks bigint not null,
    visitors bigint not null,
    bots bigint not null,
    -- Quarter hours and values of the day
    packed bytea not null,
    primary key (link_id, day)
  ) with (fillfactor = 80);

  create table link_bots (
    link_id uuid not null,
    day date not null,
    bot_id integer not null,
    bots integer not null,
    primary key (link_id, day, bot_id)
  ) with (fillfactor = 80);

  -- What is packed, as rows
  create view link_quarter_hours as
    select link_id, (day + key * interval '15 minutes') at time zone 'UTC' as start, u.clicks, u.visitors, u.bots
    from link_days, unpack_sums(packed) u where dimension is null;
  create view link_day_values as
    select link_id, v.dimension, v.value, day, u.clicks
    from link_days, unpack_sums(packed) u join click_values v on v.id = u.key where u.dimension is not null;

  -- 15 minutes, because every time zone's offset is a multiple of that
  create table account_quarter_hours (
    account_id uuid not null,
    start timestamptz(0) not null,
    clicks integer not null,
    visitors integer not null,
    bots integer not null,
    primary key (account_id, start)
  ) with (fillfactor = 80);

  create table account_days (
    account_id uuid not null,
    day date not null,
    clicks bigint not null,
    visitors bigint not null,
    bots bigint not null,
    primary key (account_id, day)
  ) with (fillfactor = 80);

  create table account_bots (
    account_id uuid not null,
    day date not null,
    bot_id integer not null,
    bots integer not null,
    primary key (account_id, day, bot_id)
  ) with (fillfactor = 80);

  -- Values by day and by month. "head" has the top values of large sums (clicks/packed/top-values.ts).
  create table account_sums (
    account_id uuid not null,
    period text not null,
    start date not null,
    part integer not null,
    packed bytea not null,
    head bytea,
    primary key (account_id, period, start, part)
  );
  alter table account_sums alter column head set storage external;

  -- Values of large accounts in hours of the last days, with the visits of bots, and how many have each known reason
  -- (clicks/drain/rollups/hour-sums.ts)
  create table account_hour_sums (
    account_id uuid not null,
    start timestamptz not null,
    clicks bigint not null,
    packed bytea not null,
    bots bigint not null,
    bot_ids integer[] not null,
    bot_counts integer[] not null,
    primary key (account_id, start)
  );

  create view account_day_values as
    select account_id, v.dimension, v.value, start as day, u.clicks
    from account_sums, unpack_sums(packed) u join click_values v on v.id = u.key where period = 'day';
  create view account_month_values as
    select account_id, v.dimension, v.value, start as month, u.clicks
    from account_sums, unpack_sums(packed) u join click_values v on v.id = u.key where period = 'month';

  -- Clicks of accounts that were erased, so that the service's totals stay right
  create table erased_days (
    day date not null primary key,
    clicks bigint not null,
    visitors bigint not null,
    bots bigint not null
  );

  -- Only the rollups of these months are left; nothing can rebuild them.
  create table click_months_dropped (month date not null primary key);
`;
