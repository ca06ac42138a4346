import { Migration } from "@mikro-orm/migrations";

/** Links lead elsewhere for visitors who meet conditions. */
export class Rules extends Migration {
  override up(): void {
    this.addSql(`alter table links add column rules jsonb`);
    this.addSql(`drop trigger announce_link_change on links`);
    this.addSql(`create trigger announce_link_change
      after delete or update of domain_id, slug, destination, disabled_at, is_active, expires_at, password_hash, rules,
        geo_rules, ab_test
      on links for each row execute function announce_link_change()`);
  }
}
