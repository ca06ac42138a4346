import { Migration } from "@mikro-orm/migrations";

/** The copy of clicks in ClickHouse gets their places, too: the last column of a line in the queue. */
export class PlacesInClickHouse extends Migration {
  override up(): void {
    this.addSql(`create or replace function queue_for_clickhouse() returns trigger language plpgsql as $$
      begin
        insert into clickhouse_queue (clicks, rows)
        select count(*), string_agg(concat_ws(E'\\t', id, account_number, is_bot::int, link_id, client_id, referrer_id,
          coalesce(campaign_id, -1), coalesce(bot_id, -1), coalesce(variant, -1), is_unique::int,
          coalesce(place_id, -1)), E'\\n')
        from added where account_number is not null having count(*) > 0;
        return null;
      end $$`);
  }
}
