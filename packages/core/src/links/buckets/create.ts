import { type LinkDeps, requires } from "../call.ts";
import { assertNotOwnHost, hostsOf } from "../../domains/redirect-loops.ts";
import { noLoop } from "../../redirects/destination.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { insertWithUniqueSlug } from "../unique-slug.ts";
import { slugInput } from "../link.schema.ts";
import { runIdempotently } from "../../rpc/idempotency/once.ts";
import { callerAsMaker } from "../../rpc/makers.ts";
import { limitCreations } from "../../rpc/procedure.ts";
import { assertNotBlocked } from "../../safety/screening/screening.ts";
import {
  accentInput,
  type Bucket,
  bucketLinksInput,
  bucketSchema,
  descriptionInput,
  nameInput,
} from "./bucket.schema.ts";
import { actorOf, recordActivity } from "../../accounts/activity/record.ts";
import { invalidatePaths, loggedOf } from "./update.ts";
import { type BucketRow, bytesOfBucket, toBucket } from "./bucket.row.ts";
import { destinationsOf, itemSlug } from "./items.ts";
import { ownDomainId } from "../../kernel/host-names.ts";
import type { Database } from "../../db/statements.ts";

/** Creates a page that lists up to ten links under one short URL. Counts as one link creation. */
export const createBucket = requires("buckets")
  .meta({
    scope: "buckets",
    route: "POST /v1/buckets",
    tag: "Buckets",
    summary: "Create a bucket",
    example: {
      name: "Ada Lovelace",
      links: [
        { title: "My notes", url: "https://example.com/notes" },
        { title: "Write to me", url: "https://example.com/contact" },
      ],
    },
    successDescription: "The new bucket",
    successStatus: 201,
    errors: [409, 429],
  })
  .use(limitCreations)
  .input(
    fieldsOf({
      name: nameInput,
      slug: slugInput.optional(),
      links: bucketLinksInput,
      description: descriptionInput.optional(),
      accent_color: accentInput.optional(),
    }),
  )
  .output(bucketSchema)
  .mutation(async ({ ctx, input: { slug: requested, ...input } }) => {
    const { deps } = ctx;
    const { name, links, description = null, accent_color = null } = input;
    const destinations = destinationsOf(links);
    assertNotOwnHost(deps, destinations);
    ctx.charge();
    await assertNotBlocked(deps.screening, destinations);
    const now = deps.clock();
    const row = {
      id: deps.newId(),
      account_id: ctx.account.id,
      name,
      links,
      description,
      accent_color,
      created_by: callerAsMaker(ctx.actor),
      avatar: null,
      views: 0,
      clicks: 0,
      created_at: now,
      updated_at: now,
    };
    const bytes = bytesOfBucket({ ...row, slug: requested });
    const request = { slug: requested, accountId: ctx.account.id, destinations };
    const insert = (slug: string) =>
      runIdempotently(ctx, (database) =>
        tryToInsert(deps, database, { ...row, slug }, hostsOf(destinations)),
      );
    const bucket = await deps.storage.reserve(ctx.actor, { links: 0, bytes }, () =>
      insertWithUniqueSlug(deps, request, insert),
    );
    invalidatePaths(deps, [bucket.slug, ...links.map((_, at) => itemSlug(bucket.slug, at + 1))]);
    const target = { id: bucket.id, after: loggedOf(bucket) };
    await recordActivity(deps, actorOf(ctx), "bucket_created", bucket.name, target);
    return bucket;
  });

/** A bucket's page has no destination. */
const noDestination = "";

/** The page comes first, so that transactions that want the same slug wait for each other at its row only. */
const statement = {
  name: "insert-bucket",
  text: `with bucket as (
           insert into buckets (id, account_id, name, last_number, created_at, updated_at, description, accent_color, created_by)
           select $1, $2, $3, cardinality($4::uuid[]) - 1, $5, $5, $11, $12, $13
           where ${noLoop("$6", "$2")}
           returning id
         )
         insert into links (id, domain_id, bucket_id, slug, title, destination, position, created_at, updated_at)
         select i.id, $7, bucket.id, i.slug, i.title, i.destination, nullif(i.number, 1) - 1, $5, $5
         from bucket, unnest($4::uuid[], $8::text[], $9::text[], $10::text[])
           with ordinality as i (id, slug, title, destination, number)
         order by i.number`,
};

/** Inserts a bucket with its page and items, all or nothing; undefined if a destination makes a loop. */
async function tryToInsert(
  deps: Pick<LinkDeps, "newId" | "shortHost">,
  database: Database,
  row: BucketRow & { account_id: string },
  destinationHosts: readonly string[],
): Promise<Bucket | undefined> {
  const { id, slug, links } = row;
  const values = [
    id,
    row.account_id,
    row.name,
    [id, ...links.map(() => deps.newId())],
    row.created_at,
    destinationHosts,
    ownDomainId,
    [slug, ...links.map((_, at) => itemSlug(slug, at + 1))],
    [null, ...links.map(({ title }) => title)],
    [noDestination, ...links.map(({ url }) => url)],
    row.description,
    row.accent_color,
    row.created_by?.id,
  ];
  const { rowCount } = await database.query({ ...statement, values });
  return rowCount === 0 ? undefined : toBucket(deps, row);
}
