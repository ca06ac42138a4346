import { Migration } from "@mikro-orm/migrations";

/**
 * Tags and notes of links, and what lists of many links are read from. Nodes of the previous version leave tags and notes as
 * they are. Building the indexes blocks changes of links for about ten seconds per million.
 */
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

    this.addSql(
      `create index links_account_id_updated_at_id on links (account_id, updated_at desc, id desc)`,
    );
    this.addSql(`create index links_account_id_slug_id on links (account_id, slug collate "C", id)`);
    this.addSql(
      `create index links_inactive on links (account_id, id) where not is_active or disabled_at is not null`,
    );
    this.addSql(`create index links_expiring on links (account_id, expires_at) where expires_at is not null`);
    this.addSql(`create index links_with_password on links (account_id, id) where password_hash is not null`);
    this.addSql(`create index links_with_geo_rules on links (account_id, id) where geo_rules is not null`);
    this.addSql(`create index links_with_ab_test on links (account_id, id) where ab_test is not null`);

    // The order by clicks is in a table of its own: an index on the links' counters would make every click write to all
    // indexes of links. Links without a click have no row.
    this.addSql(`create table link_ranks (
      link_id uuid not null primary key constraint link_ranks_link_id_foreign references links (id) on delete cascade,
      account_id uuid not null,
      click_count bigint not null,
      last_click_at timestamptz(3)
    ) with (fillfactor = 80)`);
    this.addSql(`insert into link_ranks select id, account_id, click_count, last_click_at from links
      where account_id is not null and (click_count > 0 or last_click_at is not null)`);
    this.addSql(`create index link_ranks_click_count on link_ranks (account_id, click_count, link_id)`);
    this.addSql(`create index link_ranks_last_click_at on link_ranks (account_id, last_click_at, link_id)`);
    // Triggers, so that the order is right whatever counts a click, also a node of the previous version.
    this.addSql(`create function rank_links() returns trigger language plpgsql as $$
      begin
        insert into link_ranks
        select id, account_id, click_count, last_click_at from changed
        where account_id is not null and (click_count > 0 or last_click_at is not null) order by id
        on conflict (link_id) do update
        set click_count = excluded.click_count, last_click_at = excluded.last_click_at
        where (link_ranks.click_count, link_ranks.last_click_at)
          is distinct from (excluded.click_count, excluded.last_click_at);
        delete from link_ranks using changed
        where link_id = changed.id and changed.click_count = 0 and changed.last_click_at is null;
        return null;
      end $$`);
    this.addSql(`create trigger rank_links after update on links
      referencing new table as changed for each statement execute function rank_links()`);
    this.addSql(`create function rank_link() returns trigger language plpgsql as $$
      begin
        insert into link_ranks values (new.id, new.account_id, new.click_count, new.last_click_at);
        return null;
      end $$`);
    this.addSql(`create trigger rank_link after insert on links for each row
      when (new.account_id is not null and (new.click_count > 0 or new.last_click_at is not null))
      execute function rank_link()`);

    // The links without a click, which have no place in that order. A link leaves them once.
    this.addSql(`alter table links add column is_clicked boolean not null default false`);
    this.addSql(`update links set is_clicked = true where click_count > 0 and last_click_at is not null`);
    this.addSql(`create index links_unclicked on links (account_id, id) where not is_clicked`);
    this.addSql(`create function mark_clicked() returns trigger language plpgsql as $$
      begin
        new.is_clicked := new.click_count > 0 and new.last_click_at is not null;
        return new;
      end $$`);
    this.addSql(`create trigger mark_clicked before insert or update of click_count, last_click_at on links for each row
      when (new.is_clicked <> (new.click_count > 0 and new.last_click_at is not null))
      execute function mark_clicked()`);
  }
}
