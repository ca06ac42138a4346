import { Migration } from "@mikro-orm/migrations";

/** Tags and notes of links. Nodes of the previous version leave both as they are. */
export class Tags extends Migration {
  override up(): void {
    this.addSql(`alter table links add column notes text`);
    this.addSql(`create table tags (
      id uuid not null primary key default gen_random_uuid(),
      account_id uuid not null constraint tags_account_id_foreign references users (id) on delete cascade,
      name text not null,
      key text not null,
      constraint tags_account_id_key_unique unique (account_id, key)
    )`);
    this.addSql(`create table link_tags (
      tag_id uuid not null constraint link_tags_tag_id_foreign references tags (id) on delete cascade,
      link_id uuid not null constraint link_tags_link_id_foreign references links (id) on delete cascade,
      primary key (tag_id, link_id)
    )`);
    // Also finds the rows of a link that is deleted.
    this.addSql(`create index link_tags_link_id on link_tags (link_id) include (tag_id)`);
  }
}
