import { defineEntity, p } from "@mikro-orm/core";
import { type Maker, makerSql } from "../../rpc/makers.ts";
import { accountFilter } from "../../rpc/own-rows.ts";
import { madeBy, WorkspaceEntity } from "../../accounts/workspaces/workspace.row.ts";
import type { AccountCall, LinkDeps } from "../call.ts";
import { notFound } from "../../kernel/errors.ts";
import { isId } from "../../kernel/validation/ids.ts";
import type { Bucket } from "./bucket.schema.ts";
import { type Item, itemSlug } from "./items.ts";
import { bytesOf } from "../../redirects/link-bytes.ts";

/**
 * Several links behind one short URL. Defined here because links refer to it; its operations are in buckets/.
 * Item numbers are never reused, so that `/{slug}/2` never becomes another item: `last_number` is the last one used.
 */
export const BucketEntity = defineEntity({
  name: "Bucket",
  tableName: "buckets",
  filters: accountFilter,
  indexes: [
    {
      name: "buckets_account_id_created_at_id",
      expression:
        "create index buckets_account_id_created_at_id on buckets (account_id, created_at desc, id desc)",
    },
  ],
  properties: {
    id: p.uuid().primary(),
    account_id: () => p.manyToOne(WorkspaceEntity).mapToPk().joinColumn("account_id").deleteRule("cascade"),
    name: p.text(),
    description: p.text().nullable(),
    /** `#rrggbb` */
    accent_color: p.text().nullable(),
    last_number: p.integer(),
    created_by: () => madeBy("buckets", "set null"),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
});

/** The part of a stored bucket that clients see. */
export interface BucketRow {
  id: string;
  name: string;
  slug: string;
  links: readonly Item[];
  description: string | null;
  accent_color: string | null;
  /** The last part of its path; null for none */
  avatar: string | null;
  views: number;
  clicks: number;
  created_by: Maker;
  /** As Date, or in milliseconds since the epoch */
  created_at: Date | number;
  updated_at: Date | number;
  disabled_at?: number | null;
  disabled_reason?: string | null;
}

/** A bucket with the clicks of each of its links. */
interface CountedBucket extends BucketRow {
  links: (Item & { clicks: number })[];
}

/** One statement reads a whole bucket: it could change between two. */
const select = `
  select b.id, b.name, b.description, b.accent_color, avatars.name as avatar, page.slug,
    page.click_count::float8 as views, items.clicks, items.links, page.disabled_reason,
    (extract(epoch from page.disabled_at) * 1000)::float8 as disabled_at,
    ${makerSql("b.created_by")} as created_by,
    (extract(epoch from b.created_at) * 1000)::float8 as created_at,
    (extract(epoch from b.updated_at) * 1000)::float8 as updated_at
  from buckets b
  join links page on page.id = b.id
  left join bucket_avatars avatars on avatars.bucket_id = b.id
  cross join lateral (
    select json_agg(json_build_object('title', title, 'url', destination, 'clicks', click_count) order by position) as links,
      sum(click_count)::float8 as clicks
    from links where bucket_id = b.id and position is not null
  ) items
  where b.account_id = $1`;

/** Returns the account's bucket with this id; 404 if the account has none, even if another account has it. */
export async function readBucket({ deps, account }: AccountCall, id: string): Promise<CountedBucket> {
  if (!isId(id)) throw notFound("Bucket");
  const query = { name: "bucket", text: `${select} and b.id = $2`, values: [account.id, id] };
  const { rows } = await deps.pool.query<CountedBucket>(query);
  if (!rows[0]) throw notFound("Bucket");
  return rows[0];
}

/** Returns one page of the account's buckets, newest first, and the number of all. */
export async function readBuckets(
  { deps: { pool }, account }: AccountCall,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: BucketRow[]; total: number }> {
  const [page, count] = await Promise.all([
    pool.query<CountedBucket>({
      name: "buckets",
      text: `${select} order by b.created_at desc, b.id desc limit $2 offset $3`,
      values: [account.id, limit, offset],
    }),
    pool.query<{ total: number }>({
      name: "count-buckets",
      text: "select count(*)::float8 as total from buckets where account_id = $1",
      values: [account.id],
    }),
  ]);
  return { rows: page.rows, total: count.rows[0]?.total ?? 0 };
}

/** Turns a row into what clients see. */
export function toBucket({ shortHost }: Pick<LinkDeps, "shortHost">, row: BucketRow): Bucket {
  const shortUrl = shortHost.urlOf(row.slug);
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    shortUrl,
    short_url: shortUrl,
    links: row.links.map(({ title, url }) => ({ title, url })),
    description: row.description,
    accent_color: row.accent_color,
    avatar_url: row.avatar === null ? null : `${shortUrl}/${row.avatar}`,
    views: row.views,
    clicks: row.clicks,
    disabled_at: row.disabled_at == null ? null : new Date(row.disabled_at).toISOString(),
    disabled_reason: row.disabled_reason ?? null,
    created_at: new Date(row.created_at).toISOString(),
    created_by: row.created_by,
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

/** The bytes that a bucket takes, with its page and its items, which are links. */
export function bytesOfBucket({
  name,
  slug,
  description,
  links,
}: Pick<BucketRow, "name" | "description" | "links"> & { slug: string | undefined }): number {
  const page = bytesOf({ slug, title: name }) + Buffer.byteLength(description ?? "");
  return links.reduce(
    (sum, { title, url }, at) =>
      sum + bytesOf({ slug: itemSlug(slug ?? "", at + 1), title, destination: url }),
    page,
  );
}
