import { Migration } from "@mikro-orm/migrations";

/**
 * The event that all clicks of a link's limit are counted. It is written in the transaction that counts the last one, once
 * each time the limit is reached: not while it stays reached, and again after it was raised. Counting is done by one update
 * of a link at a time, so that no two transactions see the same crossing.
 */
export class LimitReached extends Migration {
  override up(): void {
    this.addSql(`create trigger record_link_limit_reached after update of click_count on links
      for each row when (new.account_id is not null and new.click_limit is not null
        and new.click_count >= new.click_limit
        and (old.click_limit is null or old.click_count < old.click_limit))
      execute function record_link_event('link.limit_reached')`);
  }
}
