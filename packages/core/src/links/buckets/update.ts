import { type LinkDeps, requires } from "../call.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import * as z from "zod";
import {
  addedTo,
  assertNoLoops,
  assertNotOwnHost,
  type Destinations,
  whereNoLoop,
} from "../../domains/redirect-loops.ts";
import { changesOf } from "../../kernel/validation/inputs.ts";
import { checkEach, concurrentChange, maxAttempts, notFound } from "../../kernel/errors.ts";
import { slugUpdateError } from "../unique-slug.ts";
import { slugInput } from "../link.schema.ts";
import { assertNotBlocked } from "../../safety/screening/screening.ts";
import { ownDomainId } from "../../kernel/host-names.ts";
import {
  accentInput,
  type Bucket,
  bucketLinksInput,
  bucketSchema,
  descriptionInput,
  nameInput,
} from "./bucket.schema.ts";
import { BucketEntity, bytesOfBucket, readBucket, toBucket } from "./bucket.row.ts";
import { destinationsOf, itemSlug, matchItems, numberOf } from "./items.ts";
import { inTransaction } from "../../db/connection.ts";
import type { Em } from "../../db/em.ts";
import { assertEnabled, LinkEntity } from "../link.row.ts";
import { LockMode } from "@mikro-orm/core";

const shape = {
  id: z.string(),
  name: nameInput.optional(),
  slug: slugInput.optional(),
  links: bucketLinksInput.optional(),
  description: descriptionInput.optional(),
  accent_color: accentInput.optional(),
};
const fields = changesOf(shape, bucketSchema);

/** Changes the given fields, all of them or none. */
export const updateBucket = requires("buckets")
  .meta({
    scope: "buckets",
    route: "PUT /v1/buckets/{id}",
    tag: "Buckets",
    summary: "Update a bucket",
    example: { name: "Another name" },
    description:
      "Only the given fields change; `links` replaces the list. A link that keeps its URL or its title keeps its clicks.",
    successDescription: "The updated bucket",
    errors: [404, 409],
  })
  .input(fields)
  .output(bucketSchema)
  .mutation(async ({ ctx, input: { id, ...changes } }) => {
    const { deps, account } = ctx;
    const bucket = await readBucket(ctx, id);
    if (Object.values(changes).every((change) => change === undefined)) return toBucket(deps, bucket);
    const destinations = addedTo(destinationsOf(bucket.links), destinationsOf(changes.links ?? []));
    await checkEach(
      () => assertNotOwnHost(deps, destinations),
      () => assertNotBlocked(deps.screening, destinations),
    );
    const { name = bucket.name, slug = bucket.slug, links = bucket.links } = changes;
    const { description = bucket.description } = changes;
    const bytes = bytesOfBucket({ name, slug, links, description }) - bytesOfBucket(bucket);
    const paths = await deps.storage
      .reserve(ctx.actor, { links: 0, bytes }, write)
      .catch(async (error: unknown) => {
        throw await slugUpdateError(deps, error, { id, domain_id: ownDomainId, slug: changes.slug });
      });
    invalidatePaths(deps, paths);
    const changed = toBucket(deps, await readBucket(ctx, id));
    const target = { id, before: loggedOf(bucket), after: loggedOf(changed) };
    await recordActivity(deps, actorOf(ctx), "bucket_changed", changed.name, target);
    return changed;

    /** Retries if nothing was written because of a loop that has gone since. */
    async function write(): Promise<string[]> {
      const bucketKey = { id, account_id: account.id };
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const written = await inTransaction(ctx, (_, tx) =>
          changeBucket(tx, deps, bucketKey, changes, destinations),
        );
        if (written !== null) return written;
        await assertNoLoops(deps, account.id, destinations);
      }
      throw concurrentChange();
    }
  });

/** What the log shows of a page. */
export const loggedOf = ({ name, slug, links, description, accent_color }: LoggedBucket) => ({
  name,
  slug,
  links: links.map(({ title, url }) => ({ title, url })),
  description,
  accent_color,
});
type LoggedBucket = Pick<Bucket, "name" | "slug" | "links" | "description" | "accent_color">;

/**
 * Applies changes within a transaction and returns every path whose answer changes when it commits. Null, with nothing
 * written, if one of `destinations` is a loop.
 */
async function changeBucket(
  tx: Em,
  { clock, newId }: Pick<LinkDeps, "clock" | "newId">,
  { id, account_id }: { id: string; account_id: string },
  { slug, links, ...head }: Omit<z.output<typeof fields>, "id">,
  destinations: Destinations,
): Promise<string[] | null> {
  const now = clock();
  const { bucket, page, items } = await lockBucket(tx, id);
  // Always written: this update announces that the page has changed.
  const where = { id, ...whereNoLoop(account_id, destinations) };
  const { name = bucket.name, description = bucket.description, accent_color = bucket.accent_color } = head;
  const all = { name, description: description ?? null, accent_color: accent_color ?? null, updated_at: now };
  if ((await tx.nativeUpdate(BucketEntity, where, all)) === 0) return null;
  const before = [page, ...items].map((row) => row.slug);
  let { last_number } = bucket;

  if (slug !== undefined && slug !== page.slug) {
    page.slug = slug;
    // Before the items: transactions that want the same slug wait for each other at the page's row.
    await tx.flush();
    for (const item of items) item.slug = itemSlug(slug, numberOf(item.slug));
  }

  if (links !== undefined) {
    const present = items.map(({ title, destination }) => ({ title: title ?? "", url: destination }));
    const matches = matchItems(present, links);
    for (const [at, { title, url }] of links.entries()) {
      const match = matches[at] ?? null;
      const values = { title, destination: url, position: at + 1 };
      const item = match === null ? undefined : items[match];
      if (item) tx.assign(item, values);
      else items.push(addItem(values));
    }
    for (const [at, item] of items.entries()) {
      if (at < present.length && !matches.includes(at)) tx.remove(item);
    }
  }
  tx.assign(bucket, { last_number });
  await tx.flush();
  return [...before, page.slug, ...items.map((row) => row.slug)];

  function addItem(values: Pick<typeof page, "title" | "destination" | "position">) {
    last_number += 1;
    const path = itemSlug(page.slug, last_number);
    return tx.create(LinkEntity, {
      id: newId(),
      domain_id: page.domain_id,
      bucket_id: id,
      slug: path,
      ...values,
      created_at: now,
      updated_at: now,
    });
  }
}

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
  assertEnabled("bucket", page);
  const items = rows.filter((row) => row.id !== id);
  return { bucket, page, items };
}

/** Removes paths of the short-link host from this process's cache. */
export function invalidatePaths({ invalidate }: Pick<LinkDeps, "invalidate">, paths: Iterable<string>): void {
  for (const slug of paths) invalidate({ domain_id: ownDomainId, slug });
}
