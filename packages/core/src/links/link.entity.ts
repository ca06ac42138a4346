import { defineEntity, p } from "@mikro-orm/core";
import { DomainEntity } from "../domains/domain.row.ts";
import { ownDomainId } from "../kernel/host-names.ts";
import type { ColumnType } from "../redirects/rules/rule.ts";
import { type OptionColumns, optionKinds } from "../redirects/rules/rules.ts";
import { UserEntity } from "../accounts/users/user.row.ts";
import { BucketEntity } from "./buckets/bucket.row.ts";
import type { QrLook } from "./qr/look.ts";

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
  // Fails closed: a query without the account's parameter throws instead of reading the links of all accounts.
  filters: {
    account: { name: "account", cond: (args: { id: string }) => ({ account_id: args.id }), default: true },
  },
  uniques: [{ name: "links_domain_id_slug_unique", properties: ["domain_id", "slug"] }],
  indexes: [
    {
      name: "links_account_id_created_at_id",
      expression:
        "create index links_account_id_created_at_id on links (account_id, created_at desc, id desc)",
    },
    {
      name: "links_bucket_id",
      expression: "create index links_bucket_id on links (bucket_id) where bucket_id is not null",
    },
    { name: "links_slug", expression: "create index links_slug on links using hash (slug)" },
    {
      name: "links_search",
      expression:
        'create index links_search on links using gin (account_id, fold_case(slug) gin_trgm_ops, fold_case(title) gin_trgm_ops, lower(left(destination, 400) collate "C") gin_trgm_ops)',
    },
    {
      name: "links_long_destination",
      expression:
        "create index links_long_destination on links (account_id) where octet_length(destination) > 400",
    },
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
      p.manyToOne(UserEntity).mapToPk().joinColumn("account_id").nullable().deleteRule("cascade"),
    domain_id: () => p.manyToOne(DomainEntity).mapToPk().joinColumn("domain_id").default(ownDomainId),
    slug: p.text(),
    destination: p.text(),
    title: p.text().nullable(),
    notes: p.text().nullable(),
    /** How its QR code looks; null for a plain one */
    qr: json<QrLook>(),
    click_count: p.bigint("number").default(0),
    last_click_at: p.datetime(3).nullable(),
    /** A total of another service; set by imports only */
    imported_clicks: p.bigint("number").default(0),
    /** Set by the database: whether the link has a place among those sorted by clicks, see list-runs.ts */
    is_clicked: p.boolean().default(false),
    fallbacks: p.bigint("number").default(0),
    is_active: p.boolean().default(true),
    /** When an operator disabled it, and why; null while it is not disabled */
    disabled_at: p.datetime(3).nullable(),
    disabled_reason: p.text().nullable(),
    created_at: p.datetime(3),
    /** Who created it, see history/author.ts; null if that is not known */
    created_by: p.text().nullable(),
    updated_at: p.datetime(3),
    ...optionProperties(),
    bucket_id: () =>
      p.manyToOne(BucketEntity).mapToPk().joinColumn("bucket_id").nullable().deleteRule("cascade"),
    position: p.smallint().nullable(),
  },
});
