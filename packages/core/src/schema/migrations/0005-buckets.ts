import { Migration } from "@mikro-orm/migrations";

/**
 * A bucket's page and its items are rows of `links` without an account, so one constraint covers all slugs, and redirects,
 * purges and counts need no extra code. The page has the bucket's id; an item has a position.
 */
export class Buckets extends Migration {
  override up(): void {
    this.addSql(`create table buckets (
      id uuid not null primary key,
      account_id uuid not null constraint buckets_account_id_foreign references users (id) on delete cascade,
      name text not null,
      last_number integer not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    )`);
    this.addSql(
      `create index buckets_account_id_created_at_id on buckets (account_id, created_at desc, id desc)`,
    );
    this.addSql(`alter table links
      add column bucket_id uuid constraint links_bucket_id_foreign references buckets (id) on delete cascade,
      add column position smallint`);
    this.addSql(`create index links_bucket_id on links (bucket_id) where bucket_id is not null`);

    // A page shows data of other rows. A change of one of them also updates the bucket, which announces its page.
    this.addSql(`create function announce_bucket_change() returns trigger language plpgsql as $$
      begin
        perform pg_notify('terse_routes', domain_id || '/' || slug) from links where id = old.id;
        return null;
      end $$`);
    this.addSql(`create trigger announce_bucket_change
      after update of name, updated_at on buckets for each row execute function announce_bucket_change()`);
  }
}
