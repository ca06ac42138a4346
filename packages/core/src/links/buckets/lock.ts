import { LockMode } from "@mikro-orm/core";
import type { Em } from "../../db/em.ts";
import { notFound } from "../../kernel/errors.ts";
import { BucketEntity } from "./bucket.entity.ts";
import { LinkEntity } from "../link.entity.ts";
import { refuseDisabled } from "../find.ts";

/**
 * Locks a bucket of the account, its page and its items until the transaction ends; 404 if there is none, 403 if an
 * operator disabled it. Rows are locked in the order of their ids, as they are when clicks are counted, which rules out
 * deadlocks.
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
  refuseDisabled("bucket", page);
  const items = rows.filter((row) => row.id !== id);
  return { bucket, page, items };
}
