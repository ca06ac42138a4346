import type { PoolClient } from "pg";
import type { PartBit } from "../prepare/parts.ts";

/** First key of the advisory locks; the second is the part. */
const lockKey = 7_230_002;

/**
 * Waits until no other drain stores this part of a batch of its own; ends with the transaction. It is only for speed: parts with the
 * same bit have rows of the same links, and all drains lock rows in the same order anyway.
 */
export async function lockPart(database: PoolClient, bit: PartBit): Promise<void> {
  await database.query({
    name: "lock-part",
    text: "select pg_advisory_xact_lock($1, $2)",
    values: [lockKey, bit],
  });
}
