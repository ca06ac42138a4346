import { Migration } from "@mikro-orm/migrations";
import { normalizeSlug } from "../../kernel/slug.ts";

/**
 * Texts are compared by one function, which folds their case alike whatever the locale of the database is; in a Turkish one
 * `lower` and trigrams make a dotless letter of I. Slugs get their one spelling of emoji. Building the index blocks changes of
 * links for about half a minute per million.
 */
export class OneSpelling extends Migration {
  override async up(): Promise<void> {
    const collations = await this.execute(
      "select collname as name from pg_collation where collname in ('pg_c_utf8', 'und-x-icu') order by 1",
    );
    // The first one is part of PostgreSQL 17 and never changes. The other one needs ICU, as most builds have.
    const collation = collations[0]?.name ?? "default";
    this.addSql(`create function fold_case(text) returns text immutable parallel safe language sql
      return lower($1 collate pg_catalog."${collation}")`);
    this.addSql(`set local maintenance_work_mem = '256MB'`);
    this.addSql(`drop index links_search`);
    this.addSql(`create index links_search on links using gin
      (account_id, fold_case(slug) gin_trgm_ops, fold_case(title) gin_trgm_ops,
       lower(left(destination, 400) collate "C") gin_trgm_ops)`);

    const links = await this.execute("select id, slug from links where slug ~ '[^\\x01-\\x7f]'");
    for (const { id, slug } of links) {
      const normal = normalizeSlug(slug);
      // Slugs have no quotes. Where both spellings exist, the one that is already right keeps the visitors.
      if (normal !== slug)
        this.addSql(`update links l set slug = '${normal}' where id = '${id}'
          and not exists (select from links where domain_id = l.domain_id and slug = '${normal}')`);
    }
  }
}
