import { defineEntity, type InferEntity, p } from "@mikro-orm/core";
import { readMakers } from "../rpc/makers.ts";
import { accountFilter } from "../rpc/own-rows.ts";
import { DomainEntity } from "../domains/domain.row.ts";
import { ownDomainId } from "../kernel/host-names.ts";
import type { ColumnType } from "../redirects/rules/rule.ts";
import {
  allOptionKinds,
  type OptionColumns,
  optionKinds,
  type OptionOutput,
  type RuleColumns,
} from "../redirects/rules/rules.ts";
import { WorkspaceEntity } from "../accounts/workspaces/workspace.row.ts";
import { BucketEntity } from "./buckets/bucket.row.ts";
import type { QrLook } from "./qr/qr.schema.ts";
import type { Call } from "./call.ts";
import type { Database } from "../db/statements.ts";
import { readHealth } from "../safety/health/queue.ts";
import type { Link } from "./link.schema.ts";
import { tagsOf } from "./tags/tagging.ts";
import type { StoredOptions } from "./options.ts";
import { notFound, refusal } from "../kernel/errors.ts";
import { isId } from "../kernel/validation/ids.ts";
import { type Change, contextOf, setChangeContext } from "../history/change.ts";

const timestamp = () => p.datetime(3).nullable();
const text = () => p.text().nullable();
const flag = () => p.boolean().nullable();
const integer = () => p.integer().nullable();
const json = <Value extends object>() => p.json().$type<Value>().nullable();

/** The property of a column that holds a `Value` or null. */
type Property<Value> = Value extends Date
  ? ReturnType<typeof timestamp>
  : Value extends string
    ? ReturnType<typeof text>
    : Value extends number
      ? ReturnType<typeof integer>
      : Value extends boolean
        ? ReturnType<typeof flag>
        : Value extends object
          ? ReturnType<typeof json<Value>>
          : never;

/** One property for the column of each option. */
function optionProperties() {
  const properties = { timestamp, text, integer, flag, json } satisfies Partial<
    Record<ColumnType<never>["name"], unknown>
  >;
  return Object.fromEntries(
    optionKinds.map(({ column, type }) => [
      column,
      (properties[type.name as keyof typeof properties] as () => unknown)(),
    ]),
  ) as { [Column in keyof OptionColumns]: Property<NonNullable<OptionColumns[Column]>> };
}

const index = (name: string, on: string) => ({ name, expression: `create index ${name} on links ${on}` });

/**
 * A host and slug, and where they lead. An anonymous link has no account. A bucket's page and its items are also links.
 * They have no account, so that only their bucket gives access to them; a page has its bucket's id and no position.
 */
export const LinkEntity = defineEntity({
  name: "Link",
  tableName: "links",
  filters: accountFilter,
  uniques: [{ name: "links_domain_id_slug_unique", properties: ["domain_id", "slug"] }],
  indexes: [
    index("links_account_id_created_at_id", "(account_id, created_at desc, id desc)"),
    index("links_bucket_id", "(bucket_id) where bucket_id is not null"),
    index("links_made_by", "(account_id, made_by, created_at desc, id desc) where made_by <> account_id"),
    index("links_slug", "using hash (slug)"),
    index(
      "links_search",
      'using gin (account_id, fold_case(slug) gin_trgm_ops, fold_case(title) gin_trgm_ops, lower(left(destination, 400) collate "C") gin_trgm_ops)',
    ),
    index("links_long_destination", "(account_id) where octet_length(destination) > 400"),
    index("links_account_id_updated_at_id", "(account_id, updated_at desc, id desc)"),
    index("links_account_id_slug_id_created_at", '(account_id, slug collate "C", id, created_at)'),
    index("links_inactive", "(account_id, id) where not is_active or disabled_at is not null"),
    index("links_expiring", "(account_id, expires_at) where expires_at is not null"),
    index("links_with_password", "(account_id, id) where password_hash is not null"),
    index("links_with_rules", "(account_id, id) where rules is not null or geo_rules is not null"),
    index("links_with_ab_test", "(account_id, id) where ab_test is not null"),
    index("links_with_preview", "(account_id, id) where preview is not null"),
    index("links_with_limit", "(account_id, id) where click_limit is not null"),
    index("links_starting", "(account_id, starts_at) where starts_at is not null"),
    index("links_on_domains", `(domain_id, created_at desc, id desc) where domain_id <> '${ownDomainId}'`),
    index("links_unclicked_created_at", "(account_id, id, created_at) where not is_clicked"),
  ],
  properties: {
    id: p.uuid().primary(),
    account_id: () =>
      p.manyToOne(WorkspaceEntity).mapToPk().joinColumn("account_id").nullable().deleteRule("cascade"),
    domain_id: () => p.manyToOne(DomainEntity).mapToPk().joinColumn("domain_id").default(ownDomainId),
    slug: p.text(),
    destination: p.text(),
    title: p.text().nullable(),
    notes: p.text().nullable(),
    /** Style of its QR code; null for a plain one */
    qr: json<QrLook>(),
    click_count: p.bigint("number").default(0),
    last_click_at: p.datetime(3).nullable(),
    /** A total of another service; set by imports only */
    imported_clicks: p.bigint("number").default(0),
    /** Set by the database: whether the link has a place among those sorted by clicks, see list/runs.ts */
    is_clicked: p.boolean().default(false),
    fallbacks: p.bigint("number").default(0),
    is_active: p.boolean().default(true),
    /** When an operator disabled it, and why; null if it is not disabled */
    disabled_at: p.datetime(3).nullable(),
    disabled_reason: p.text().nullable(),
    created_at: p.datetime(3),
    /** Who created it, see `fromColumn` in history/change.ts; null if unknown */
    created_by: p.text().nullable(),
    /** The person who made it, also after they left or were erased; null if unknown */
    made_by: p.uuid().nullable(),
    updated_at: p.datetime(3),
    ...optionProperties(),
    bucket_id: () =>
      p.manyToOne(BucketEntity).mapToPk().joinColumn("bucket_id").nullable().deleteRule("cascade"),
    position: p.smallint().nullable(),
  },
});

/** A link's row as the ORM reads it. */
export type LinkColumns = InferEntity<typeof LinkEntity>;

/** The columns of a new link; counters begin at their columns' defaults. */
export interface NewLinkRow extends RuleColumns {
  id: string;
  account_id: string | null;
  domain_id: string;
  slug: string;
  destination: string;
  title: string | null;
  notes: string | null;
  qr: QrLook | null;
  created_at: Date;
  created_by: string | null;
  made_by: string | null;
  updated_at: Date;
}

/** The columns of a link that clients see, and others if they were read. The ORM leaves out null values. */
export type LinkRow = Partial<LinkColumns> &
  Pick<LinkColumns, "id" | "domain_id" | "slug" | "destination" | "click_count" | "is_active"> &
  Pick<LinkColumns, "created_at" | "updated_at"> & {
    /** Null for a link that is new; otherwise it is read */
    health?: null;
    /** Sorted; read if they are missing */
    tags?: readonly string[];
  };

/**
 * Turns rows into what clients see; an extra read for tags, one if custom domains are among them, one if others than the caller
 * made some, and one if links are checked.
 */
export async function toLinks(
  { deps, em, actor }: Pick<Call, "deps" | "em"> & Partial<Pick<Call, "actor">>,
  rows: readonly LinkRow[],
  database: Database = deps.pool,
): Promise<Link[]> {
  const custom = new Set(rows.map((row) => row.domain_id).filter((id) => id !== ownDomainId));
  const domains = custom.size === 0 ? [] : await em.find(DomainEntity, { id: { $in: [...custom] } });
  const nameOf = new Map(domains.map(({ id, domain }) => [id, domain]));
  const untagged = rows.filter(({ tags }) => tags === undefined).map(({ id }) => id);
  const tags = await tagsOf(database, untagged);
  const makerOf = await readMakers(
    em,
    rows.map(({ made_by }) => made_by),
    actor,
  );
  const healthOf = await readHealth(
    deps,
    rows.filter(({ health }) => health === undefined).map(({ id }) => id),
  );
  return rows.map((row) => {
    const customDomain = nameOf.get(row.domain_id);
    const shortUrl = deps.shortHost.urlOf(row.slug, customDomain);
    return {
      id: row.id,
      slug: row.slug,
      shortUrl,
      short_url: shortUrl,
      destination: row.destination,
      domain: customDomain ?? deps.shortHost.host,
      title: row.title ?? null,
      click_count: row.click_count,
      last_click_at: row.last_click_at?.toISOString() ?? null,
      imported_clicks: row.imported_clicks ?? 0,
      fallbacks: row.fallbacks ?? 0,
      is_active: row.is_active ? 1 : 0,
      disabled_at: row.disabled_at?.toISOString() ?? null,
      disabled_reason: row.disabled_reason ?? null,
      health: healthOf.get(row.id) ?? null,
      created_at: row.created_at.toISOString(),
      created_by: makerOf(row.made_by),
      updated_at: row.updated_at.toISOString(),
      tags: [...(row.tags ?? tags.get(row.id) ?? [])],
      notes: row.notes ?? null,
      qr: row.qr ?? null,
      ...optionsOf(row),
    };
  });
}

const optionsOf = (row: StoredOptions) =>
  Object.fromEntries(
    allOptionKinds.map(({ column, outputField, toOutput }) => [
      outputField,
      toOutput(row[column as keyof StoredOptions] ?? null),
    ]),
  ) as OptionOutput;

/** Turns one row into what clients see. */
export async function toLink(ctx: Call, row: LinkRow): Promise<Link> {
  const [link] = await toLinks(ctx, [row]);
  return link as Link;
}

/** Returns the account's link with this id; 404 if the account has none, even if another account has it. */
export async function findLink({ em }: Call, id: string) {
  const link = isId(id) ? await em.findOne(LinkEntity, { id }) : null;
  if (!link) throw notFound("Link");
  return link;
}

/** Refuses (403) to change or delete a link that an operator disabled: its slug would be free for the same link again. */
export function assertEnabled(
  what: "link" | "bucket",
  row: { disabled_at?: Date | null | undefined; disabled_reason?: string | null | undefined },
): void {
  if (row.disabled_at == null) return;
  const reason = row.disabled_reason ? ` (${row.disabled_reason})` : "";
  const message = `The operator of this service disabled this ${what}${reason}; ask them to enable or delete it`;
  const params = { resource: what, ...(row.disabled_reason && { reason: row.disabled_reason }) };
  throw refusal("FORBIDDEN", "", "disabled", message, params);
}

/**
 * Deletes links but keeps the rows their clicks refer to; returns the deleted ones. With `accountId`, only that
 * account's, and none that is disabled; with `unchangedSince`, none that was changed later.
 */
export async function removeLinks(
  database: Database,
  change: Change,
  ids: readonly string[],
  accountId?: string,
  unchangedSince?: Date,
): Promise<{ id: string; domain_id: string; slug: string }[]> {
  const { rows } = await database.query<{ id: string; domain_id: string; slug: string }>({
    name: "delete-links",
    // Rows are locked in the order of their ids, as the drain does.
    text: `with locked as (
             select id from links where id = any($1::uuid[])
             and ($2::uuid is null or (account_id = $2 and disabled_at is null))
             and ($5::timestamptz is null or date_trunc('milliseconds', updated_at) = $5) order by id for update
           ), deleted as (
             delete from links where id in (select id from locked) returning *
           )
           insert into deleted_links (id, account_id, domain_id, slug, destination, title, deleted_at, created_at, created_by)
           select id, account_id, domain_id, slug, destination, title, $3, created_at, created_by
           from deleted, (select ${setChangeContext("$4")}) context
           returning id, domain_id, slug`,
    values: [ids, accountId ?? null, change.at, contextOf(change), unchangedSince ?? null],
  });
  return rows;
}
