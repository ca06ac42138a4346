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
    this.addSql(`alter table domains add column import_from text`);
    this.addSql(`create or replace function announce_domain_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and (new.domain, new.status, new.import_from) is not distinct from
          (old.domain, old.status, old.import_from) then return null; end if;
        if tg_op <> 'INSERT' then perform pg_notify('terse_routes', 'host:' || old.domain); end if;
        if tg_op <> 'DELETE' then perform pg_notify('terse_routes', 'host:' || new.domain); end if;
        return null;
      end $$`);
  }
}
