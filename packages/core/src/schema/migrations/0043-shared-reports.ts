import { Migration } from "@mikro-orm/migrations";

/** Reports that people without an account may read, each under a secret address. Nodes of the previous version know none. */
export class SharedReports extends Migration {
  override up(): void {
    this.addSql(`create table shared_reports (
      id uuid not null primary key,
      account_id uuid not null
        constraint shared_reports_account_id_foreign references users (id) on delete cascade,
      hash bytea not null constraint shared_reports_hash_unique unique,
      name text not null,
      link_id uuid,
      tag_id uuid constraint shared_reports_tag_id_foreign references tags (id) on delete cascade,
      password_hash text,
      active boolean not null default true,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3) not null,
      last_opened_at timestamptz(3)
    )`);
    this.addSql(`create index shared_reports_account_id on shared_reports (account_id)`);
    this.addSql(`create index shared_reports_tag_id on shared_reports (tag_id)`);
  }
}
