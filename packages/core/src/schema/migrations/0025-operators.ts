import { Migration } from "@mikro-orm/migrations";

/** Accounts that may use the operator's screens. */
export class Operators extends Migration {
  override up(): void {
    this.addSql(`alter table users add column is_operator boolean not null default false`);
  }
}
