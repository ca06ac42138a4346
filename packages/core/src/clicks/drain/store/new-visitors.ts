import { isUniqueViolation } from "../../../db/errors.ts";
import type { PoolClient } from "pg";
import { binaryBigints } from "../../../db/arrays.ts";
import type { Batch } from "../prepare/prepare.ts";

/**
 * Adds the visitors who are new on their link and day. Returns one for the first click of each, by its place; zero for others.
 *
 * It asks who is there and inserts the others. `on conflict do nothing` does both at once, but marks each row before it is
 * sure of it, and takes half as long again. If another transaction adds one of them in between, the insert is undone and tried again.
 */
export async function newVisitors(
  database: PoolClient,
  { clicks, days, visitors }: Batch,
): Promise<Uint8Array> {
  const isUnique = new Uint8Array(clicks.length);
  const { days: places, high, low } = visitors.sorted();
  const clickOf = (at: number) => visitors.clickOf(high(at), low(at));
  const numbers = (some: readonly number[]) =>
    binaryBigints(some.length, (index, words, to) => {
      words[to] = high(some[index] as number);
      words[to + 1] = low(some[index] as number);
    });

  /** Those of a day who are not there, of some who may be. */
  async function missing(date: string, some: readonly number[]): Promise<readonly number[]> {
    const { rows } = await database.query<{ found: Buffer | null }>({
      name: "find-visitors",
      text: `select string_agg(int8send(visitor), '') as found from click_visitors
             where day = $1 and visitor = any($2::bigint[])`,
      values: [date, numbers(some)],
    });
    const found = rows[0]?.found ?? Buffer.alloc(0);
    for (const at of some) isUnique[clickOf(at)] = 1;
    for (let at = 0; at < found.length; at += 8)
      isUnique[visitors.clickOf(found.readInt32BE(at), found.readInt32BE(at + 4))] = 0;
    return some.filter((at) => isUnique[clickOf(at)] === 1);
  }

  const add = (date: string, some: readonly number[]) =>
    database.query({
      name: "add-visitors",
      text: "insert into click_visitors (day, visitor) select $1::date, unnest($2::bigint[])",
      values: [date, numbers(some)],
    });

  async function addOfDay(date: string, all: readonly number[]): Promise<void> {
    let added = await missing(date, all);
    if (added.length === 0) return;
    await database.query("savepoint visitors");
    for (;;) {
      try {
        await add(date, added);
        break;
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        await database.query("rollback to savepoint visitors");
        const left = await missing(date, added);
        // Nobody added one: trying again would not end.
        if (left.length === added.length) throw error;
        added = left;
        if (added.length === 0) break;
      }
    }
    // Rows after it belong to the transaction itself again, by whose number live streams find clicks.
    await database.query("release savepoint visitors");
  }

  // A plan from when the table was small would read all of it.
  await database.query("set local enable_seqscan = off");
  // In the order of days and numbers, which is the same on every node, so that no two nodes wait for each other's rows.
  for (const { place, date } of days) {
    const from = places.indexOf(place);
    if (from < 0) continue;
    await addOfDay(
      date,
      Array.from({ length: places.lastIndexOf(place) + 1 - from }, (_, index) => from + index),
    );
  }
  await database.query("set local enable_seqscan to default");
  return isUnique;
}
