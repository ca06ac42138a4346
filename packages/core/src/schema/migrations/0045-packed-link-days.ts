import { Migration } from "@mikro-orm/migrations";

/**
 * A link's day is one row: what was in `link_quarter_hours` and `link_day_values` is packed into a column of `link_days`, whose
 * format `clicks/packed/sums.ts` describes. Background work moves the rows of these tables there. Both forms together are the
 * views `all_link_quarter_hours` and `all_link_day_values`: nodes of the version before still write the old one.
 */
export class PackedLinkDays extends Migration {
  override up(): void {
    this.addSql(`alter table link_days add column packed bytea`);
    this.addSql(`create table click_values (
      id integer generated always as identity primary key,
      dimension text not null,
      value text not null,
      constraint click_values_unique unique (dimension, value)
    )`);
    this.addSql(`create function unpack_sums(packed bytea)
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
      end $$`);
    this.addSql(`create view all_link_quarter_hours as
      select link_id, (day + key * interval '15 minutes') at time zone 'UTC' as start, u.clicks, u.visitors, u.bots
      from link_days, unpack_sums(packed) u where dimension is null
      union all
      select link_id, start, clicks, visitors, bots from link_quarter_hours`);
    this.addSql(`create view all_link_day_values as
      select link_id, v.dimension, v.value, day, u.clicks
      from link_days, unpack_sums(packed) u join click_values v on v.id = u.key where u.dimension is not null
      union all
      select link_id, dimension, value, day, clicks from link_day_values`);
  }
}
