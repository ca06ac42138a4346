import { Migration } from "@mikro-orm/migrations";

/**
 * `account_hour_sums` has what large accounts have by value in hours of the last days (`clicks/drain/rollups/hour-sums.ts`).
 *
 * Large sums of accounts have a head (`clicks/packed/heads.ts`), which is right while `packed` has `head_of` bytes: nodes of the
 * version before only append to sums of that size, or delete them. Background work adds the heads.
 */
export class HeadsOfSums extends Migration {
  override up(): void {
    this.addSql(`alter table account_sums add column head bytea, add column head_of integer,
      alter column head set storage external`);
    this.addSql(`create table account_hour_sums (
      account_id uuid not null,
      start timestamptz not null,
      clicks bigint not null,
      packed bytea not null,
      primary key (account_id, start)
    )`);
  }
}
