import { Migration } from "@mikro-orm/migrations";

/**
 * When each link was last clicked. It is null until the next click is counted or `analytics rebuild` runs; a node of the
 * version before does not set it. It has no index: every click would write to it, and to all other indexes of the row.
 */
export class LastClicks extends Migration {
  override up(): void {
    this.addSql(`alter table links add column last_click_at timestamptz(3)`);
  }
}
