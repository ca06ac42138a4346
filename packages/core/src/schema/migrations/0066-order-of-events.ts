import { Migration } from "@mikro-orm/migrations";

/**
 * The event of a deletion waits for clicks that are not counted yet (`outbox/deletions.ts`), which look it up by the link. It is
 * also written for webhooks that only want `link.limit_reached`, as one of these clicks may reach the limit.
 */
export class OrderOfEvents extends Migration {
  override up(): void {
    this.addSql(`create index webhook_events_subject on webhook_events ((subject ->> 'id'))
      where position is null or type = 'link.deleted'`);
    this.addSql(`create or replace function record_link_deletion() returns trigger language plpgsql as $$
      begin
        if exists (
          select from webhooks where account_id = old.account_id and active
            and ('link.deleted' = any (events)
              or ('link.limit_reached' = any (events) and old.click_count < old.click_limit))
        ) then
          insert into webhook_events (account_id, type, subject)
          values (old.account_id, 'link.deleted',
            webhook_subject(to_jsonb(old)) || jsonb_build_object('tags', tags_of_link(old.id)));
        end if;
        return old;
      end $$`);
  }
}
