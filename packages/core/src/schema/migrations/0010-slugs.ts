import { Migration } from "@mikro-orm/migrations";

/**
 * Finds links by slug alone, on any domain of an account. The unique index begins with the domain: it would be read once
 * per domain, or not at all before PostgreSQL 18. Building blocks changes of links for about a second per million.
 */
export class Slugs extends Migration {
  override up(): void {
    this.addSql(`create index links_slug on links using hash (slug)`);
  }
}
