import { Migration } from "@mikro-orm/migrations";

/**
 * Links get a status, forward the query and path of visits, and have a preview of their own. Domains get addresses for
 * visits that reach no link, and the files that connect them with apps. Nodes of the previous version leave all as it is.
 */
export class Forwarding extends Migration {
  override up(): void {
    this.addSql(`alter table links
      add column redirect_status int,
      add column forward_query text,
      add column forward_path boolean,
      add column preview jsonb`);
    this.addSql(`drop trigger announce_link_change on links`);
    this.addSql(`create trigger announce_link_change
      after delete or update of domain_id, slug, destination, disabled_at, is_active, expires_at, preview, password_hash,
        rules, geo_rules, ab_test, redirect_status, forward_path, forward_query
      on links for each row execute function announce_link_change()`);

    this.addSql(`alter table domains
      add column root_url text,
      add column not_found_url text,
      add column expired_url text,
      add column apple_app_site_association text,
      add column assetlinks text`);
    this.addSql(`drop trigger announce_domain_change on domains`);
    this.addSql(`create trigger announce_domain_change
      after insert or delete or update of domain, status, root_url, not_found_url, expired_url,
        apple_app_site_association, assetlinks
      on domains for each row execute function announce_domain_change()`);
    // The hourly check writes these three and, unchanged, the status.
    this.addSql(`create or replace function announce_domain_change() returns trigger language plpgsql as $$
      declare
        checks constant text[] := array['checked_at', 'verified_at', 'broken_since'];
      begin
        if tg_op = 'UPDATE' and to_jsonb(new) - checks = to_jsonb(old) - checks then return null; end if;
        if tg_op <> 'INSERT' then perform pg_notify('terse_routes', 'host:' || old.domain); end if;
        if tg_op <> 'DELETE' then perform pg_notify('terse_routes', 'host:' || new.domain); end if;
        return null;
      end $$`);
  }
}
