import { Migration } from "@mikro-orm/migrations";

/** What happened to an account: sign-ins, keys, plan, export … `about` names the key, the provider or the plans. */
export class Activity extends Migration {
  override up(): void {
    this.addSql(`create table activity (
      id uuid not null primary key,
      account_id uuid not null constraint activity_account_id_foreign references users (id) on delete cascade,
      at timestamptz(3) not null,
      action text not null,
      count integer not null default 1,
      by_kind text not null,
      by_id uuid,
      about text,
      network text,
      client text
    )`);
    this.addSql(`create index activity_account_id_id on activity (account_id, id desc)`);
    this.addSql(`create index activity_at on activity (at)`);
  }
}
