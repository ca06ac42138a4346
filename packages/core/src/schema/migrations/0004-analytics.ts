import { Migration } from "@mikro-orm/migrations";

const owners = ["link", "account"] as const;

/**
 * Rollups from which every report reads only a few rows. Earlier counts stay exact: values by day are copied, quarter
 * hours come from the raw clicks, or, if retention has dropped those, the counts of an hour go into its first quarter.
 */
export class Analytics extends Migration {
  override up(): void {
    // Identifies an account in a raw click with four bytes.
    this.addSql(`alter table users add column number integer not null generated always as identity
      constraint users_number_unique unique`);

    // Only the rollups of these months are left; nothing can rebuild them.
    this.addSql(`create table click_months_dropped (month date not null primary key)`);

    this.#createTables();
    this.#fillTables();
    this.#renewClicks();
    for (const owner of owners) this.addSql(`drop table ${owner}_hours`);
    this.addSql(`drop table account_values_by_day`);
  }

  #createTables(): void {
    this.addSql(`alter table link_days rename to link_day_values`);
    this.addSql(`alter index link_days_pkey rename to link_day_values_pkey`);
    this.addSql(`alter table account_days rename to account_values_by_day`);
    this.addSql(`alter index account_days_pkey rename to account_values_by_day_pkey`);

    for (const owner of owners) {
      // 15 minutes, because every time zone's offset is a multiple of that.
      for (const [table, time] of [
        ["quarter_hours", "start timestamptz(0)"],
        ["days", "day date"],
      ] as const) {
        this.addSql(`create table ${owner}_${table} (
          ${owner}_id uuid not null,
          ${time} not null,
          clicks integer not null,
          visitors integer not null,
          bots integer not null,
          primary key (${owner}_id, ${time.split(" ")[0]})
        ) with (fillfactor = 80)`);
      }
    }
    // An index by level returns a day's values almost in the order of their clicks. A level rarely changes, so nearly all
    // updates stay off the index (HOT).
    for (const period of ["day", "month"]) {
      this.addSql(`create table account_${period}_values (
        account_id uuid not null,
        dimension text not null,
        value text not null,
        ${period} date not null,
        clicks integer not null,
        level smallint not null generated always as (floor(4 * ln(clicks) / ln(2))) stored,
        primary key (account_id, dimension, value, ${period})
      ) with (fillfactor = 80)`);
    }
  }

  #fillTables(): void {
    this.addSql(`insert into click_months_dropped
      select h.month from (
        select date_trunc('month', hour at time zone 'UTC')::date as month, sum(clicks + bots) as counted
        from link_hours group by 1
      ) h left join (
        select date_trunc('month', to_timestamp((id >> 20) / 1000) at time zone 'UTC')::date as month, count(*) as raw
        from clicks group by 1
      ) c using (month)
      where c.raw is distinct from h.counted`);

    for (const owner of owners) {
      // Inserts the hours, then moves the counts of raw clicks to their quarters.
      this.addSql(`insert into ${owner}_quarter_hours (${owner}_id, start, clicks, visitors, bots)
        with raw as (
          select ${owner}_id, to_timestamp((id >> 20) / 900000 * 900) as start, count(*) filter (where not is_bot) as clicks,
            count(*) filter (where is_unique) as visitors, count(*) filter (where is_bot) as bots
          from clicks where ${owner}_id is not null group by 1, 2
        )
        select ${owner}_id, start, sum(clicks), sum(visitors), sum(bots) from (
          select ${owner}_id, hour as start, clicks, visitors, bots from ${owner}_hours
          union all select * from raw
          union all select ${owner}_id, date_bin('1 hour', start, 'epoch'), -clicks, -visitors, -bots from raw
        ) t group by 1, 2 having sum(clicks) > 0 or sum(bots) > 0`);
      this.addSql(`insert into ${owner}_days (${owner}_id, day, clicks, visitors, bots)
        select ${owner}_id, (start at time zone 'UTC')::date, sum(clicks), sum(visitors), sum(bots)
        from ${owner}_quarter_hours group by 1, 2`);
    }

    this.addSql(`insert into account_day_values (account_id, dimension, value, day, clicks)
      select account_id, dimension, value, day, clicks from account_values_by_day
      union all
      select account_id, 'link', link_id::text, day, clicks from link_days join (
        select id as link_id, account_id from links union all select id, account_id from deleted_links
      ) l using (link_id)
      where account_id is not null and clicks > 0`);
    this.addSql(`insert into account_month_values (account_id, dimension, value, month, clicks)
      select account_id, dimension, value, date_trunc('month', day::timestamp)::date as month, sum(clicks)
      from account_day_values group by 1, 2, 3, 4`);
    for (const period of ["day", "month"]) {
      this.addSql(`create index account_${period}_values_level
        on account_${period}_values (account_id, dimension, ${period}, level desc)`);
    }
  }

  /** Copies to new tables: dropping and adding columns would leave longer rows, and partitions that differ. */
  #renewClicks(): void {
    this.addSql(`alter table clicks rename to old_clicks`);
    this.addSql(`create table clicks (
      id bigint not null,
      link_id uuid not null,
      account_number integer,
      client_id integer not null,
      referrer_id integer not null,
      variant smallint,
      is_bot boolean not null,
      is_unique boolean not null
    ) partition by range (id)`);
    this.addSql(`do $$
      declare
        old record;
      begin
        for old in
          select relname as name, pg_get_expr(relpartbound, c.oid) as bounds
          from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'old_clicks'::regclass
        loop
          execute format('alter table %I rename to %I', old.name, 'old_' || old.name);
          execute format('create table %I partition of clicks %s', old.name, old.bounds);
        end loop;
      end $$`);
    this.addSql(`insert into clicks
      select c.id, link_id, u.number, client_id, referrer_id, variant, is_bot, is_unique
      from old_clicks c left join users u on u.id = c.account_id`);
    this.addSql(`drop table old_clicks`);
    this.addSql(`create index clicks_account_number_id on clicks (account_number, id) where not is_bot`);
  }
}
