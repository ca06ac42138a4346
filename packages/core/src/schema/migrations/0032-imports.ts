import { Migration } from "@mikro-orm/migrations";

/**
 * What imports from other services leave: totals that have no clicks behind them, how far the clicks of each link are
 * imported, and for a domain the service that is asked about unknown slugs. Nodes of the previous version ignore all of it.
 */
export class Imports extends Migration {
  override up(): void {
    this.addSql(`alter table links add column imported_clicks bigint not null default '0'`);
    this.addSql(`create table import_positions (
      link_id uuid not null constraint import_positions_link_id_foreign references links (id) on delete cascade,
      source text not null,
      position bigint not null,
      last_at timestamptz(3) not null,
      primary key (link_id, source)
    )`);
    this.addSql(`alter table domains
      add column import_from text,
      add column imported_links integer not null default 0`);
    this.addSql(`drop trigger announce_domain_change on domains`);
    this.addSql(`create trigger announce_domain_change
      after insert or delete or update of domain, status, root_url, not_found_url, expired_url,
        apple_app_site_association, assetlinks, import_from
      on domains for each row execute function announce_domain_change()`);
  }
}
