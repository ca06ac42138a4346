import { Migration } from "@mikro-orm/migrations";

export class AccountDeletion extends Migration {
  override up(): void {
    // When a deleted account ends for good, and when the service began to erase it.
    this.addSql(
      `alter table users add column deletes_at timestamptz(3), add column erased_at timestamptz(3)`,
    );
    this.addSql(`create index users_deletes_at on users (deletes_at) where deletes_at is not null`);

    // One message for all links of the account: routes know the number of their account.
    this.addSql(`create or replace function announce_account_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('terse_routes', 'account:' || new.number);
        return null;
      end $$`);
    this.addSql(`drop trigger if exists announce_account_change on users`);
    this.addSql(`create trigger announce_account_change
      after update of deletes_at on users for each row execute function announce_account_change()`);

    // Clicks of accounts that were erased, so that the service's totals stay right.
    this.addSql(`create table erased_days (
      day date not null primary key,
      clicks bigint not null,
      visitors bigint not null,
      bots bigint not null
    )`);
  }
}
