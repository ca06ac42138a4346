import { Migration } from "@mikro-orm/migrations";

/** Alerts: conditions on the clicks of an account, of which its webhooks get events. Nodes of the previous version know none, and evaluate none. */
export class Alerts extends Migration {
  override up(): void {
    this.addSql(`create table alerts (
      id uuid not null primary key,
      account_id uuid not null constraint alerts_account_id_foreign references users (id) on delete cascade,
      name text not null,
      kind text not null,
      link_id uuid constraint alerts_link_id_foreign references links (id) on delete cascade,
      tag_id uuid constraint alerts_tag_id_foreign references tags (id) on delete cascade,
      hours integer,
      factor double precision,
      active boolean not null,
      fired_at timestamptz(3),
      is_on boolean not null default false,
      next_at timestamptz(3) not null,
      created_at timestamptz(3) not null
    )`);
    this.addSql(`create index alerts_account_id on alerts (account_id)`);
    this.addSql(`create index alerts_link_id on alerts (link_id)`);
    this.addSql(`create index alerts_tag_id on alerts (tag_id)`);
    this.addSql(`create index alerts_next_at on alerts (next_at) where active`);
  }
}
