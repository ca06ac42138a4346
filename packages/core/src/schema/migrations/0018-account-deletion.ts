import { Migration } from "@mikro-orm/migrations";

export class AccountDeletion extends Migration {
  override up(): void {
    // When a deleted account ends for good, and when the service began to erase it.
    this.addSql(
      `alter table users add column deletes_at timestamptz(3), add column erased_at timestamptz(3)`,
    );
    this.addSql(`create index users_deletes_at on users (deletes_at) where deletes_at is not null`);

    this.addSql(`drop trigger announce_account_change on users`);
    this.addSql(`create trigger announce_account_change
      after update of suspended_at, deletes_at on users for each row execute function announce_account_change()`);

    // Clicks of accounts that were erased, so that the service's totals stay right.
    this.addSql(`create table erased_days (
      day date not null primary key,
      clicks bigint not null,
      visitors bigint not null,
      bots bigint not null
    )`);
  }
}
