import { Migration } from "@mikro-orm/migrations";

/**
 * What accounts have by day and by month of each value, packed as links' days are (0045). Background work moves the rows of
 * `account_day_values` and `account_month_values` there; both forms together are the views `all_account_day_values` and
 * `all_account_month_values`.
 */
export class AccountSums extends Migration {
  override up(): void {
    this.addSql(`create table account_sums (
      account_id uuid not null,
      period text not null,
      start date not null,
      part integer not null,
      packed bytea not null,
      primary key (account_id, period, start, part)
    )`);
    for (const period of ["day", "month"]) {
      this.addSql(`create view all_account_${period}_values as
        select account_id, v.dimension, v.value, start as ${period}, u.clicks
        from account_sums, unpack_sums(packed) u join click_values v on v.id = u.key where period = '${period}'
        union all
        select account_id, dimension, value, ${period}, clicks from account_${period}_values`);
    }
  }
}
