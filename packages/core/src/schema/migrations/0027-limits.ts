import { Migration } from "@mikro-orm/migrations";

/**
 * When a link works: from a time, for a number of clicks, and where visitors are sent otherwise. A node of the version before
 * redirects such a link as if it had none of these.
 */
export class Limits extends Migration {
  override up(): void {
    this.addSql(`alter table links add column starts_at timestamptz(3), add column click_limit int,
      add column fallback_url text, add column fallbacks bigint not null default '0'`);
    this.addSql(`drop trigger announce_link_change on links`);
    this.addSql(`create trigger announce_link_change
      after delete or update of domain_id, slug, destination, disabled_at, is_active, starts_at, expires_at, click_limit,
        password_hash, geo_rules, ab_test, fallback_url
      on links for each row execute function announce_link_change()`);

    // What the writers of click logs took of the clicks that links are limited to, see clicks/permits.
    this.addSql(`create table click_permits (
      link_id uuid not null references links (id) on delete cascade,
      writer uuid not null,
      turn bigint not null,
      last int not null,
      granted bigint not null,
      counted bigint not null default 0,
      updated_at timestamptz(3) not null,
      primary key (link_id, writer)
    )`);
    this.addSql(`create index click_permits_writer on click_permits (writer)`);
  }
}
