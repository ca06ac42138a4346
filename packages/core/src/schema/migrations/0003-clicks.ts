import { Migration } from "@mikro-orm/migrations";

export class Clicks extends Migration {
  override up(): void {
    // A deleted link frees its slug, but its counts stay in the account.
    this.addSql(`create table deleted_links (
      id uuid not null primary key,
      account_id uuid references users (id) on delete cascade,
      domain_id uuid not null,
      slug text not null,
      destination text not null,
      title text,
      deleted_at timestamptz(3) not null
    )`);
    this.addSql(`create index deleted_links_account_id on deleted_links (account_id)`);

    // The counted position of each click log segment of each node, written in the transaction that counts.
    this.addSql(`create table click_segments (
      id text not null primary key,
      position bigint not null,
      drained_at timestamptz(3) not null
    )`);

    // Clients and referrers are stored once each, so that the row of a click stays small.
    this.addSql(`create table click_clients (
      id integer generated always as identity primary key,
      country text not null,
      device text not null,
      browser text not null,
      os text not null,
      constraint click_clients_unique unique (country, device, browser, os)
    )`);
    this.addSql(`create table click_referrers (
      id integer generated always as identity primary key,
      referrer text not null constraint click_referrers_unique unique
    )`);

    // Salts and hashes are kept for their UTC day; afterwards two visits of one person cannot be linked.
    this.addSql(`create table click_salts (day date not null primary key, salt bytea not null)`);
    this.addSql(`create table click_visitors (
      day date not null,
      visitor bigint not null,
      primary key (day, visitor)
    )`);

    // A click's id is its time in milliseconds since the epoch, shifted left by 20 bits, and a sequence number.
    this.addSql(`create table clicks (
      id bigint not null,
      link_id uuid not null,
      account_id uuid,
      client_id integer not null,
      referrer_id integer not null,
      variant smallint,
      is_bot boolean not null,
      is_unique boolean not null
    ) partition by range (id)`);
    this.addSql(`create index clicks_account_id_id on clicks (account_id, id)`);
    for (const owner of ["link", "account"]) {
      this.addSql(`create table ${owner}_hours (
        ${owner}_id uuid not null,
        hour timestamptz(0) not null,
        clicks integer not null,
        visitors integer not null,
        bots integer not null,
        primary key (${owner}_id, hour)
      ) with (fillfactor = 80)`);
      this.addSql(`create table ${owner}_days (
        ${owner}_id uuid not null,
        day date not null,
        dimension text not null,
        value text not null,
        clicks integer not null,
        primary key (${owner}_id, day, dimension, value)
      ) with (fillfactor = 80)`);
    }
  }
}
