import { Migration } from "@mikro-orm/migrations";

/** Jobs know how often, and since when, they have been refused without progress (`jobs/runner.ts`). */
export class RefusedJobs extends Migration {
  override up(): void {
    this.addSql(
      "alter table jobs add column refusals integer not null default 0, add column refused_since timestamptz",
    );
  }
}
