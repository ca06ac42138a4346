import { Migration } from "@mikro-orm/migrations";

export class Initial extends Migration {
  override up(): void {
    this.addSql(`create extension if not exists pg_trgm`);
    this.addSql(`create extension if not exists btree_gin`);

    this.addSql(`create type plan as enum ('free', 'pro', 'enterprise')`);
    this.addSql(`create type domain_status as enum ('pending', 'verified', 'failed')`);

    this.addSql(`create table users (
      id uuid not null primary key,
      email text not null constraint users_email_unique unique,
      name text not null,
      plan plan not null,
      created_at timestamptz(3) not null
    )`);

    this.addSql(`create table consents (
      account_id uuid not null primary key
        constraint consents_account_id_foreign references users (id) on update cascade on delete cascade,
      marketing boolean not null default false,
      updated_at timestamptz(3) not null
    )`);

    this.addSql(`create table api_keys (
      id uuid not null primary key,
      account_id uuid not null constraint api_keys_account_id_foreign references users (id) on delete cascade,
      name text not null,
      prefix text not null,
      hash bytea not null constraint api_keys_hash_unique unique,
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3)
    )`);
    this.addSql(`create index api_keys_account_id on api_keys (account_id)`);

    this.addSql(`create table sessions (
      id uuid not null primary key,
      account_id uuid not null constraint sessions_account_id_foreign references users (id) on delete cascade,
      hash bytea not null constraint sessions_hash_unique unique,
      created_at timestamptz(3) not null,
      last_seen_at timestamptz(3) not null,
      expires_at timestamptz(3) not null
    )`);
    this.addSql(`create index sessions_account_id on sessions (account_id)`);

    this.addSql(`create table domains (
      id uuid not null primary key,
      account_id uuid constraint domains_account_id_foreign references users (id) on delete cascade,
      domain text not null,
      status domain_status not null,
      challenge text not null,
      created_at timestamptz(3) not null,
      verified_at timestamptz(3)
    )`);
    this.addSql(`create index domains_account_id on domains (account_id)`);
    this.addSql(`create index domains_domain on domains (domain)`);
    // The service's own short-link host; its name is a setting, not data.
    this.addSql(`insert into domains (id, domain, status, challenge, created_at)
      values ('00000000-0000-0000-0000-000000000000', '', 'verified', '', 'epoch')`);

    // Every click updates the row of its link; free space in pages keeps these updates off the indexes (HOT).
    this.addSql(`create table links (
      id uuid not null primary key,
      account_id uuid constraint links_account_id_foreign references users (id) on delete cascade,
      domain_id uuid not null default '00000000-0000-0000-0000-000000000000'
        constraint links_domain_id_foreign references domains (id),
      slug text not null,
      destination text not null,
      title text,
      click_count bigint not null default '0',
      is_active boolean not null default true,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      expires_at timestamptz(3),
      password_hash text,
      geo_rules jsonb,
      ab_test jsonb,
      constraint links_domain_id_slug_unique unique (domain_id, slug)
    ) with (fillfactor = 90)`);
    this.addSql(
      `create index links_account_id_created_at_id on links (account_id, created_at desc, id desc)`,
    );
    this.addSql(`create index links_search on links using gin
      (account_id, slug gin_trgm_ops, title gin_trgm_ops, destination gin_trgm_ops)`);
  }
}
