import { Migration } from "@mikro-orm/migrations";

/** Buckets get a description, an accent colour and an avatar. Nodes of the previous version leave them as they are. */
export class BucketLooks extends Migration {
  override up(): void {
    this.addSql(`alter table buckets add column description text, add column accent_color text`);
    // Apart from the bucket, so that reading buckets does not read images. A change also updates the bucket.
    this.addSql(`create table bucket_avatars (
      bucket_id uuid not null primary key constraint bucket_avatars_bucket_id_foreign references buckets (id) on delete cascade,
      name text not null,
      image bytea not null
    )`);
    this.addSql(`drop trigger announce_bucket_change on buckets`);
    this.addSql(`create trigger announce_bucket_change
      after update of name, description, accent_color, updated_at on buckets
      for each row execute function announce_bucket_change()`);
  }
}
