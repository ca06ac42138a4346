import { defineEntity, type Opt, p } from "@mikro-orm/core";
import type { Database } from "../../db/statements.ts";
import { refusal } from "../../kernel/errors.ts";
import { planNames } from "../../kernel/names.ts";

/** A person and, one to one, their account: `users.id` is what every `account_id` refers to. */
export const UserEntity = defineEntity({
  name: "User",
  tableName: "users",
  indexes: [
    {
      name: "users_deletes_at",
      expression: "create index users_deletes_at on users (deletes_at) where deletes_at is not null",
    },
  ],
  properties: {
    id: p.uuid().primary(),
    email: p.text().unique("users_email_unique"),
    /** Whether a login provider or an operator confirmed the address; if not, no other identity joins the account by it */
    email_verified: p.boolean().default(true),
    name: p.text(),
    /** The language of mails to the person; null if unknown */
    language: p.text().nullable(),
    plan: p.enum(planNames).nativeEnumName("plan"),
    created_at: p.datetime(3),
    /** When an operator suspended it, and why; null if it is not suspended */
    suspended_at: p.datetime(3).nullable(),
    suspended_reason: p.text().nullable(),
    /** When a deleted account will be erased, unless its owner signs in before; null for all others */
    deletes_at: p.datetime(3).nullable(),
    /** When the service began to erase it */
    erased_at: p.datetime(3).nullable(),
    /** Whether it may use the operator's screens; the first account may; an admin command sets it */
    is_operator: p.boolean().default(false),
    /** How far back its history is complete, if older changes were deleted to make room */
    history_from: p.datetime(3).nullable(),
    /** The account's short name in raw clicks */
    number: p
      .integer()
      .$type<Opt<number>>()
      .generated("identity")
      .autoincrement()
      .unique("users_number_unique"),
  },
});

/** The consents of a user; without a row there are none. */
export const ConsentEntity = defineEntity({
  name: "Consent",
  tableName: "consents",
  properties: {
    account_id: () =>
      p.manyToOne(UserEntity).mapToPk().primary().joinColumn("account_id").deleteRule("cascade"),
    marketing: p.boolean().default(false),
    updated_at: p.datetime(3),
  },
});

/** The column of tables whose rows belong to an account and are deleted with it. */
export const accountOf = (table: string) =>
  p
    .manyToOne(UserEntity)
    .mapToPk()
    .joinColumn("account_id")
    .deleteRule("cascade")
    .index(`${table}_account_id`);

/**
 * Keeps an account whose deletion is pending, at a sign-in to it; true if it was. Locks the account
 * until the transaction ends, so that it is either kept or erased. 403 if it was erased a moment ago.
 */
export async function restoreAccount(database: Database, accountId: string): Promise<boolean> {
  const { rows } = await database.query<{ pending: boolean }>(
    `select deletes_at is not null as pending from users where id = $1 and erased_at is null for no key update`,
    [accountId],
  );
  const [user] = rows;
  if (!user) throw refused("deleted", "The account was deleted; sign in again to create another one");
  if (user.pending) await database.query("update users set deletes_at = null where id = $1", [accountId]);
  return user.pending;
}

/** The account's own state is the problem; `reason` is for translations. */
const refused = (reason: "deleted" | "suspended" | "deletion_pending", message: string) =>
  refusal("FORBIDDEN", "", "forbidden", message, { reason });

/** For every transport: a suspended account signs in nowhere, and its keys and sessions are refused. */
export const accountSuspended = () =>
  refused("suspended", "This account is suspended; ask the operator of this service");

/** `what`: the credentials that are refused */
export const accountPendingDeletion = (what: string) =>
  refused("deletion_pending", `The account is being deleted, so its ${what} do not work: sign in to keep it`);
