import { defineEntity, p } from "@mikro-orm/core";
import { DomainEntity } from "../domains/index.ts";
import { ownDomainId } from "../kernel/short-host.ts";
import { type ColumnType, type OptionColumns, optionKinds } from "../redirects/index.ts";
import { UserEntity } from "../users/index.ts";
import { BucketEntity } from "./bucket.entity.ts";

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
        "create index links_search on links using gin (account_id, slug gin_trgm_ops, title gin_trgm_ops, left(destination, 400) gin_trgm_ops)",
    },
    {
      name: "links_long_destination",
      expression:
        "create index links_long_destination on links (account_id) where octet_length(destination) > 400",
    },
  ],
  properties: {
    id: p.uuid().primary(),
    account_id: () =>
      p.manyToOne(UserEntity).mapToPk().joinColumn("account_id").nullable().deleteRule("cascade"),
    domain_id: () => p.manyToOne(DomainEntity).mapToPk().joinColumn("domain_id").default(ownDomainId),
    slug: p.text(),
    destination: p.text(),
    title: p.text().nullable(),
    click_count: p.bigint("number").default(0),
    last_click_at: p.datetime(3).nullable(),
    /** A total of another service; set by imports only */
    imported_clicks: p.bigint("number").default(0),
    is_active: p.boolean().default(true),
    /** When an operator disabled it, and why; null while it is not disabled */
    disabled_at: p.datetime(3).nullable(),
    disabled_reason: p.text().nullable(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
    ...optionProperties(),
    bucket_id: () =>
      p.manyToOne(BucketEntity).mapToPk().joinColumn("bucket_id").nullable().deleteRule("cascade"),
    position: p.smallint().nullable(),
  },
});
