import { Migration } from "@mikro-orm/migrations";

/**
 * What ClickHouse has of the raw clicks (`clickhouse/`). Without it, both tables are empty and nothing calls the function: the
 * trigger on `clicks` is created when a copy begins, so that others do not pay for it.
 */
export class ClickHouse extends Migration {
  override up(): void {
    this.addSql(`create table clickhouse_copy (
      one boolean not null default true primary key check (one),
      is_live boolean not null,
      since bigint,
      claimed bigint not null,
      shipped bigint not null,
      token uuid not null
    )`);
    this.addSql(`create table clickhouse_queue (
      number bigint generated always as identity primary key,
      shipment bigint,
      clicks integer not null,
      rows text not null
    )`);
    this.addSql(`create function queue_for_clickhouse() returns trigger language plpgsql as $$
      begin
        insert into clickhouse_queue (clicks, rows)
        select count(*), string_agg(concat_ws(E'\\t', id, account_number, is_bot::int, link_id, client_id, referrer_id,
          coalesce(campaign_id, -1), coalesce(bot_id, -1), coalesce(variant, -1), is_unique::int), E'\\n')
        from added where account_number is not null having count(*) > 0;
        return null;
      end $$`);
  }
}
