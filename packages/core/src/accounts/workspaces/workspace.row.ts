import { defineEntity, type Opt, p } from "@mikro-orm/core";
import type { Database } from "../../db/statements.ts";
import { refusal } from "../../kernel/errors.ts";
import { countOf } from "../../kernel/text.ts";
import { planNames } from "../../kernel/names.ts";
import type { Role } from "../../kernel/roles.ts";
import type { JoinDomain, JoinedVia } from "./workspace.schema.ts";

/**
 * A workspace: what every `account_id` refers to. The row of a personal workspace is also its person: only it has an e-mail
 * address, and sessions, identities and consents refer to it.
 */
export const WorkspaceEntity = defineEntity({
  name: "Workspace",
  tableName: "workspaces",
  indexes: [
    {
      name: "users_deletes_at",
      expression: "create index users_deletes_at on workspaces (deletes_at) where deletes_at is not null",
    },
  ],
  properties: {
    id: p.uuid().primary(),
    /** Null for a workspace that is not personal */
    email: p.text().$type<string>().nullable().unique("users_email_unique"),
    /** Whether a login provider or an operator confirmed the address; if not, no other identity joins the account by it */
    email_verified: p.boolean().default(true),
    name: p.text(),
    /** Null for a personal workspace */
    slug: p.text().nullable().unique("workspaces_slug_unique"),
    personal: p.boolean().default(true),
    /** Language of the person's mail, such as "de" */
    language: p.text().nullable(),
    /** Who may join: people with a verified address at one of these domains */
    join_domains: p.json().$type<Opt<JoinDomain[]>>().default("[]"),
    /** The member to whom the owner offers the workspace, and until when */
    offered_to: p.uuid().nullable(),
    offered_until: p.datetime(3).nullable(),
    plan: p.enum(planNames).nativeEnumName("plan"),
    created_at: p.datetime(3),
    /** When an operator suspended it, and why; null if it is not suspended */
    suspended_at: p.datetime(3).nullable(),
    suspended_reason: p.text().nullable(),
    /** Whether the directory that the person came by has deactivated them; triggers of 0018-deactivated.ts keep it */
    deactivated: p.boolean().default(false),
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

/** A person's membership of a workspace. */
export const MemberEntity = defineEntity({
  name: "Member",
  tableName: "members",
  properties: {
    workspace_id: () =>
      p.manyToOne(WorkspaceEntity).mapToPk().primary().joinColumn("workspace_id").deleteRule("cascade"),
    user_id: () =>
      p
        .manyToOne(WorkspaceEntity)
        .mapToPk()
        .primary()
        .joinColumn("user_id")
        .deleteRule("cascade")
        .index("members_user_id"),
    role: p.text().$type<Role>(),
    via: p.text().$type<JoinedVia>(),
    joined_at: p.datetime(3),
  },
  indexes: [
    {
      name: "members_owner",
      expression: "create unique index members_owner on members (workspace_id) where role = 'owner'",
    },
  ],
});

/** The column of tables whose rows a person made in a workspace; they go with the person if `deleteRule` says so. */
export const madeBy = (table: string, deleteRule: "cascade" | "set null") =>
  p
    .manyToOne(WorkspaceEntity)
    .mapToPk()
    .joinColumn("created_by")
    .nullable()
    .deleteRule(deleteRule)
    .index(`${table}_created_by`);

/** The consents of a user; without a row there are none. */
export const ConsentEntity = defineEntity({
  name: "Consent",
  tableName: "consents",
  properties: {
    account_id: () =>
      p.manyToOne(WorkspaceEntity).mapToPk().primary().joinColumn("account_id").deleteRule("cascade"),
    marketing: p.boolean().default(false),
    updated_at: p.datetime(3),
  },
});

/** The column of tables whose rows belong to an account and are deleted with it. */
export const accountOf = (table: string) =>
  p
    .manyToOne(WorkspaceEntity)
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
    `select deletes_at is not null as pending from workspaces where id = $1 and erased_at is null for no key update`,
    [accountId],
  );
  const [user] = rows;
  if (!user) throw refused("deleted", "The account was deleted; sign in again to create another one");
  if (user.pending)
    await database.query("update workspaces set deletes_at = null where id = $1", [accountId]);
  return user.pending;
}

/**
 * Refuses what would make links of other workspaces stop working: the end of a workspace (403) while it shares domains, and that of
 * one domain (409) while it is shared and they have links on it.
 */
export async function assertUnusedByOthers(
  database: Database,
  workspaceId: string,
  domainId: string | null = null,
): Promise<void> {
  const { rows } = await database.query<{ links: number; domains: string[] | null }>(
    `select count(l.id)::int as links, array_agg(distinct domain) as domains
     from domains d left join links l on l.domain_id = d.id and l.account_id <> $1
     where d.account_id = $1 and ($2::uuid is null or (d.id = $2 and l.id is not null)) and shared_with <> '[]'`,
    [workspaceId, domainId],
  );
  const { links = 0, domains } = rows[0] ?? {};
  if (!domains) return;
  const message = `other workspaces may use ${domains.join(", ")}, and have ${countOf(links, "link")} there, which would stop working: end the sharing first`;
  const params = { reason: "links_of_others", links, domains };
  throw domainId === null
    ? refusal("FORBIDDEN", "", "forbidden", message, params)
    : refusal("CONFLICT", "", "conflict", message, params);
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
