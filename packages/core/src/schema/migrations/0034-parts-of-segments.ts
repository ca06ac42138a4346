import { Migration } from "@mikro-orm/migrations";

/**
 * A large batch of the click log is counted in parts, each in its own transaction: up to which byte, and which of them are
 * counted (a bit each). A node of the version before counts a batch at once; it ignores both.
 */
export class PartsOfSegments extends Migration {
  override up(): void {
    this.addSql(
      `alter table click_segments add column parts_until bigint, add column parts_done int not null default 0`,
    );
  }
}
