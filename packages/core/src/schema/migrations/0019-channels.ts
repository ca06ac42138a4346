import { Migration } from "@mikro-orm/migrations";

/**
 * The channel of each referrer, such as search. It is null until a click with that referrer is counted or `analytics
 * rebuild` runs; a node of the version before leaves it null.
 */
export class Channels extends Migration {
  override up(): void {
    this.addSql(`alter table click_referrers add column channel text`);
  }
}
