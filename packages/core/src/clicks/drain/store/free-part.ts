import type { PoolClient } from "pg";
import type { PartBit } from "../prepare/parts.ts";

/** First key of the advisory locks; the second is the part. */
const lockKey = 7_230_002;

/**
 * Returns the function that chooses a part which no other drain is storing, or waits for one. Its lock ends with the
 * transaction. It is only for speed: all drains lock rows in the same order anyway. `start` differs between drains.
 */
export function freeParts(
  start: number,
): (database: PoolClient, parts: readonly PartBit[]) => Promise<PartBit> {
  let turn = start % 1024;
  return async (database, parts) => {
    // Each time from another one, so that drains rarely try the same.
    turn = (turn + 1) % 1024;
    const order = parts.map((_, at) => parts[(at + turn) % parts.length] as PartBit);
    for (const bit of order) {
      const { rows } = await database.query<{ free: boolean }>({
        name: "try-part",
        text: "select pg_try_advisory_xact_lock($1, $2) as free",
        values: [lockKey, bit],
      });
      if (rows[0]?.free === true) return bit;
    }
    const [first = 0] = order;
    await database.query({
      name: "wait-for-part",
      text: "select pg_advisory_xact_lock($1, $2)",
      values: [lockKey, first],
    });
    return first;
  };
}
