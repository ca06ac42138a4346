import { Migration } from "@mikro-orm/migrations";

/**
 * Finds links by a slug alone, whichever of an account's domains they are on. The unique index begins with the domain,
 * and would be read once for each domain there is, or not at all before PostgreSQL 18. Built while nobody can change a
 * link: a million take about a second.
 */
export class Slugs extends Migration {
  override up(): void {
    this.addSql(`create index links_slug on links using hash (slug)`);
  }
}
