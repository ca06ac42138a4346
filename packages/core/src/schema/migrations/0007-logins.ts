import { Migration } from "@mikro-orm/migrations";

export class Logins extends Migration {
  override up(): void {
    // False only if a login provider returned the address as unverified; addresses from operators count as verified.
    this.addSql(`alter table users add column email_verified boolean not null default true`);

    // Issuer and subject together identify a person (OpenID Connect Core 1.0, section 5.7). One provider may have many
    // issuers, as Microsoft has one per tenant.
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
