import { Migration } from "@mikro-orm/migrations";

/** Operators disable links and suspend accounts. Each takes effect in all processes, like any other change of a route. */
export class Moderation extends Migration {
  override up(): void {
    this.addSql(`alter table links add column disabled_at timestamptz(3), add column disabled_reason text`);
    this.addSql(`drop trigger announce_link_change on links`);
    this.addSql(`create trigger announce_link_change
      after delete or update of domain_id, slug, destination, disabled_at, is_active, expires_at, password_hash,
        geo_rules, ab_test
      on links for each row execute function announce_link_change()`);

    this.addSql(`alter table users add column suspended_at timestamptz(3), add column suspended_reason text`);
    // One message for all links of the account: routes know the number of their account.
    this.addSql(`create function announce_account_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('terse_routes', 'account:' || new.number);
        return null;
      end $$`);
    this.addSql(`create trigger announce_account_change
      after update of suspended_at on users for each row execute function announce_account_change()`);
  }
}
