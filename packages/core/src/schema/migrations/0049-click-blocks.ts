import { Migration } from "@mikro-orm/migrations";

/**
 * Raw clicks of days that ended, many in a row (`clicks/blocks/`). Nodes of the version before read `clicks` only, so nothing is
 * packed until they had a day to end; see `pack-clicks.ts`.
 */
export class ClickBlocks extends Migration {
  override up(): void {
    // Account 0 has the clicks without an account. `first` and `last` are times in milliseconds of the day.
    this.addSql(`create table click_blocks (
      account_number integer not null,
      is_bot boolean not null,
      day date not null,
      part integer not null,
      clicks integer not null,
      first integer not null,
      last integer not null,
      packed bytea not null,
      sequences bytea not null,
      primary key (account_number, is_bot, day, part)
    )`);
    // They are small already, and every report with a filter reads them.
    this.addSql(`alter table click_blocks alter column packed set storage external,
      alter column sequences set storage external`);
  }
}
