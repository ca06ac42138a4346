import { Migration } from "@mikro-orm/migrations";

export class Domains extends Migration {
  override up(): void {
    this.addSql(`alter table domains
      add column broken_since timestamptz(3),
      add column checked_at timestamptz(3),
      add column deleted_at timestamptz(3)`);
    this.addSql(`drop index domains_account_id`);
    this.addSql(`alter table domains
      add constraint domains_account_id_domain_unique unique (account_id, domain)`);
    // Several accounts may add a name, but only one can verify it; look-ups by host return that one.
    this.addSql(`drop index domains_domain`);
    this.addSql(`create unique index domains_verified on domains (domain) where status = 'verified'`);
    this.addSql(`create index domains_checked_at on domains (checked_at) where deleted_at is null`);

    // The hourly check updates most rows without changing their status.
    this.addSql(`create or replace function announce_domain_change() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' and new.domain = old.domain and new.status = old.status then return null; end if;
        if tg_op <> 'INSERT' then perform pg_notify('terse_routes', 'host:' || old.domain); end if;
        if tg_op <> 'DELETE' then perform pg_notify('terse_routes', 'host:' || new.domain); end if;
        return null;
      end $$`);
  }
}
