import { Migration } from "@mikro-orm/migrations";

/**
 * Large sums of accounts have a head (`clicks/packed/heads.ts`), which is right while `packed` has `head_of` bytes: nodes of the
 * version before only append to sums of that size, or delete them. Background work adds the heads.
 */
export class HeadsOfSums extends Migration {
  override up(): void {
    this.addSql(`alter table account_sums add column head bytea, add column head_of integer,
      alter column head set storage external, alter column packed set storage external`);
  }
}
