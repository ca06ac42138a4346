import type { PoolClient } from "pg";

/** Only one connection packs at a time, and none during a rebuild. */
const lockKey = 7_230_003;

/** Whether this transaction may pack. If so, no other can until it ends; if not, another connection packs. */
export async function mayPack(database: PoolClient): Promise<boolean> {
  const { rows } = await database.query<{ free: boolean }>("select pg_try_advisory_xact_lock($1) as free", [
    lockKey,
  ]);
  return rows[0]?.free === true;
}

/** Prevents others from packing until the transaction ends. */
export async function waitForPacking(database: PoolClient): Promise<void> {
  await database.query("select pg_advisory_xact_lock($1)", [lockKey]);
}

/** Accounts of one portion */
const accountsAtOnce = 500;
/** Milliseconds of work after which the drain counts again */
const usualMs = 200;

/** Work for some accounts. */
export interface Portion<Item> {
  /** The id of the last account; null if there is none left */
  last: string | null;
  found: Item[] | null;
}

/** SQL: the portion after the account $1. `items` selects the work for the accounts in `chosen` (`id`, `number`). */
export const portionSql = (items: string): string => `
  with chosen as (select id, number from workspaces where id > $1 order by id limit ${accountsAtOnce})
  select (select id from chosen order by id desc limit 1) as last, (select json_agg(i) from (${items}) i) as found`;

/**
 * Returns the function that does some of the work for all accounts, for about 200 ms. `find` reads the portion after an account,
 * `work` does one item and returns false if it cannot do it now. The function returns "done" at the end, "more" if there may be
 * more, and "busy" if `work` returned false: the next call tries that item again.
 */
export function inPortions<Item>(
  find: (after: string) => Promise<Portion<Item> | undefined>,
  work: (item: Item) => Promise<boolean>,
): () => Promise<"done" | "more" | "busy"> {
  let after = "00000000-0000-0000-0000-000000000000";
  let left: Item[] = [];
  return async () => {
    if (left.length === 0) {
      const portion = await find(after);
      if (!portion?.last) return "done";
      after = portion.last;
      left = portion.found ?? [];
    }
    const started = performance.now();
    while (left.length > 0 && performance.now() - started < usualMs) {
      if (!(await work(left[0] as Item))) return "busy";
      left.shift();
    }
    return "more";
  };
}
