import { Migration } from "@mikro-orm/migrations";

/**
 * Widens the counters of days and months to 64 bits: a link can have more than 2^31 clicks in a day, an account in a month.
 * A quarter hour cannot, so its tables stay unchanged.
 *
 * Rewrites these tables and their indexes, which blocks reports and counting: a million rows take about two seconds and
 * temporarily 200 MB of disk. Redirects continue, and their clicks wait in the click log.
 */
export class WideCounters extends Migration {
  override up(): void {
    for (const owner of ["link", "account"]) {
      this.addSql(`alter table ${owner}_days
        alter column clicks type bigint, alter column visitors type bigint, alter column bots type bigint`);
    }
    this.addSql(`alter table link_day_values alter column clicks type bigint`);
    for (const period of ["day", "month"]) {
      const table = `account_${period}_values`;
      // The type of a column cannot change while another is generated from it, so the level is dropped and added again.
      this.addSql(`alter table ${table}
        drop column level,
        alter column clicks type bigint,
        add column level smallint not null generated always as (floor(4 * ln(clicks) / ln(2))) stored`);
      this.addSql(`create index ${table}_level on ${table} (account_id, dimension, ${period}, level desc)`);
    }

    // Nothing reads when a segment was last counted.
    this.addSql(`alter table click_segments drop column drained_at`);
  }
}
