import { LockMode } from "@mikro-orm/core";
import type { Em } from "../db/em.ts";
import { notFound } from "../kernel/errors.ts";
import { BucketEntity, LinkEntity } from "../links/index.ts";

/**
 * A bucket of the account with its page and its items, locked until the transaction ends; 404 where there is none. Rows
 * are locked by id, in the order of those who count clicks, so that neither waits for the other in a ring.
 */
export async function lockBucket(tx: Em, id: string) {
  const lockMode = LockMode.PESSIMISTIC_WRITE;
  const bucket = await tx.findOne(BucketEntity, { id }, { lockMode });
  const rows = await tx.find(
    LinkEntity,
    { bucket_id: id },
    { filters: { account: false }, orderBy: { id: "asc" }, lockMode },
  );
  const page = rows.find((row) => row.id === id);
  if (!bucket || !page) throw notFound("Bucket");
  const items = rows.filter((row) => row.id !== id);
  return { bucket, page, items };
}
