import { Migration } from "@mikro-orm/migrations";

/**
 * Hours have the visits of bots, and how many of them have each known reason (`clicks/drain/rollups/hour-sums.ts`). In hours that a
 * version before has made, they are null: those are made again.
 */
export class BotsInHours extends Migration {
  override up(): void {
    this.addSql(
      "alter table account_hour_sums add column bots bigint, add column bot_ids integer[], add column bot_counts integer[]",
    );
  }
}
