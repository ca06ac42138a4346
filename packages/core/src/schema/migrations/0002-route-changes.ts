import { Migration } from "@mikro-orm/migrations";

/**
 * Triggers announce every change of a route when it commits. Clicks update other columns and announce nothing, nor do new
 * links, because unknown slugs are cached for less than a second.
 */
export class RouteChanges extends Migration {
  override up(): void {
    this.addSql(`create function announce_link_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('terse_routes', old.domain_id || '/' || old.slug);
        if tg_op = 'UPDATE' and (new.domain_id <> old.domain_id or new.slug <> old.slug) then
          perform pg_notify('terse_routes', new.domain_id || '/' || new.slug);
        end if;
        return null;
      end $$`);
    this.addSql(`create trigger announce_link_change
      after delete or update of domain_id, slug, destination, is_active, expires_at, password_hash, geo_rules, ab_test
      on links for each row execute function announce_link_change()`);

    this.addSql(`create function announce_domain_change() returns trigger language plpgsql as $$
      begin
        if tg_op <> 'INSERT' then perform pg_notify('terse_routes', 'host:' || old.domain); end if;
        if tg_op <> 'DELETE' then perform pg_notify('terse_routes', 'host:' || new.domain); end if;
        return null;
      end $$`);
    this.addSql(`create trigger announce_domain_change
      after insert or delete or update of domain, status
      on domains for each row execute function announce_domain_change()`);
  }
}
