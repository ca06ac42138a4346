import { Migration } from "@mikro-orm/migrations";

/** Drops indexes that 0058 replaces. That needs the table for itself for a moment, so it is not done while others are built. */
export class FewerIndexes extends Migration {
  override up(): void {
    this.addSql(`drop index links_with_geo_rules, links_account_id_slug_id, links_unclicked`);
  }
}
