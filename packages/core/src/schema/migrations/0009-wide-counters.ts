import { Migration } from "@mikro-orm/migrations";

/**
 * Counts of a day and of a month in 64 bits: one link can have more than 2^31 clicks in a day, and an account in a month.
 * A quarter hour cannot, and its tables stay as they are.
 *
 * Rewrites these tables and their indexes, while nobody can read them or count: a million rows take some two seconds and,
 * until the end, some 200 MB more of disk. Redirects go on, and their clicks wait in the click log.
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
      // A column that another is generated from keeps its type: the level goes, and comes again in the same pass.
      this.addSql(`alter table ${table}
        drop column level,
        alter column clicks type bigint,
        add column level smallint not null generated always as (floor(4 * ln(clicks) / ln(2))) stored`);
      this.addSql(`create index ${table}_level on ${table} (account_id, dimension, ${period}, level desc)`);
    }

    // Nobody asks when a segment was counted last.
    this.addSql(`alter table click_segments drop column drained_at`);
  }
}
