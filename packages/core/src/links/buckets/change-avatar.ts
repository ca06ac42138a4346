import type { LinkDeps } from "../call.ts";
import type { Em } from "../../db/em.ts";
import type { Account } from "../../kernel/context.ts";
import { notFound } from "../../kernel/errors.ts";
import { BucketEntity } from "./bucket.entity.ts";
import { isId } from "../../kernel/validation/ids.ts";
import type { Bucket } from "./bucket.schema.ts";
import { invalidatePaths } from "./invalidate.ts";
import { lockBucket } from "./lock.ts";
import { readBucket, toBucket } from "./read.ts";

/** Replaces the image of a bucket of the account, or removes it; 404 if there is no such bucket. */
export async function changeAvatar(
  { deps, em, account }: { deps: LinkDeps; em: Em; account: Account },
  id: string,
  avatar: { name: string; image: Buffer } | null,
): Promise<Bucket> {
  if (!isId(id)) throw notFound("Bucket");
  const slug = await em.transactional(async (tx) => {
    const { page } = await lockBucket(tx, id);
    if (avatar === null) await tx.execute("delete from bucket_avatars where bucket_id = ?", [id]);
    else {
      await tx.execute(
        `insert into bucket_avatars (bucket_id, name, image) values (?, ?, ?)
         on conflict (bucket_id) do update set name = excluded.name, image = excluded.image`,
        [id, avatar.name, avatar.image],
      );
    }
    // Announces that the page has changed
    await tx.nativeUpdate(BucketEntity, { id }, { updated_at: deps.clock() });
    return page.slug;
  });
  invalidatePaths(deps, [slug]);
  return toBucket(deps, await readBucket(deps, account.id, id));
}
