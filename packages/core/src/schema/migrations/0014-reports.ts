import { Migration } from "@mikro-orm/migrations";

/**
 * Reports of short links by visitors. What was reported is copied, because a report outlives its link: an account that
 * deletes what was reported is still found.
 */
export class Reports extends Migration {
  override up(): void {
    this.addSql(`create table reports (
      id uuid not null primary key,
      link_id uuid not null,
      account_id uuid constraint reports_account_id_foreign references users (id) on delete cascade,
      short_url text not null,
      destination text not null,
      reason text not null,
      details text,
      network text not null,
      created_at timestamptz(3) not null,
      closed_at timestamptz(3)
    )`);
    // A network has one open report of a link; the index also finds all of a link.
    this.addSql(`create unique index reports_open on reports (link_id, network) where closed_at is null`);
    this.addSql(`create index reports_created_at on reports (created_at)`);
    this.addSql(`create index reports_account_id on reports (account_id)`);
  }
}
