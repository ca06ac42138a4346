import { defineEntity, p } from "@mikro-orm/core";
import { UserEntity } from "../../accounts/users/user.entity.ts";

/**
 * Several links behind one short URL. Defined here because links refer to it; its operations are in buckets/.
 * Item numbers are never reused, so that `/{slug}/2` never becomes another item: `last_number` is the last one used.
 */
export const BucketEntity = defineEntity({
  name: "Bucket",
  tableName: "buckets",
  filters: {
    account: { name: "account", cond: (args: { id: string }) => ({ account_id: args.id }), default: true },
  },
  indexes: [
    {
      name: "buckets_account_id_created_at_id",
      expression:
        "create index buckets_account_id_created_at_id on buckets (account_id, created_at desc, id desc)",
    },
  ],
  properties: {
    id: p.uuid().primary(),
    account_id: () => p.manyToOne(UserEntity).mapToPk().joinColumn("account_id").deleteRule("cascade"),
    name: p.text(),
    description: p.text().nullable(),
    /** `#rrggbb` */
    accent_color: p.text().nullable(),
    last_number: p.integer(),
    created_at: p.datetime(3),
    updated_at: p.datetime(3),
  },
});
