import { Migration } from "@mikro-orm/migrations";

export class Logins extends Migration {
  override up(): void {
    // False only where a login provider gave an address without vouching for it; operators vouch for what they enter.
    this.addSql(`alter table users add column email_verified boolean not null default true`);

    // Issuer and subject are what tells people apart (OpenID Connect Core 1.0, section 5.7): one provider may stand
    // for many issuers, as Microsoft's does for its tenants.
    this.addSql(`create table identities (
      id uuid not null primary key,
      account_id uuid not null constraint identities_account_id_foreign references users (id) on delete cascade,
      provider text not null,
      issuer text not null,
      subject text not null,
      created_at timestamptz(3) not null,
      constraint identities_issuer_subject_unique unique (issuer, subject)
    )`);
    this.addSql(`create index identities_account_id on identities (account_id)`);

    this.addSql(`create table login_links (
      id uuid not null primary key,
      account_id uuid not null constraint login_links_account_id_foreign references users (id) on delete cascade,
      hash bytea not null constraint login_links_hash_unique unique,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null
    )`);
    this.addSql(`create index login_links_account_id on login_links (account_id)`);

    this.addSql(`create index sessions_expires_at on sessions (expires_at)`);
  }
}
