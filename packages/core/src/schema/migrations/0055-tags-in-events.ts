import { Migration } from "@mikro-orm/migrations";

/** Webhooks are told of a deleted link with its tags. */
export class TagsInEvents extends Migration {
  override up(): void {
    this.addSql(`create function record_link_deletion() returns trigger language plpgsql as $$
      begin
        if exists (
          select from webhooks where account_id = old.account_id and active and 'link.deleted' = any (events)
        ) then
          insert into webhook_events (account_id, type, subject)
          values (old.account_id, 'link.deleted',
            webhook_subject(to_jsonb(old)) || jsonb_build_object('tags', tags_of_link(old.id)));
        end if;
        return old;
      end $$`);
    // Before, since the link's tags are deleted with it.
    this.addSql(`create or replace trigger record_link_deleted before delete on links
      for each row when (old.account_id is not null) execute function record_link_deletion()`);
  }
}
