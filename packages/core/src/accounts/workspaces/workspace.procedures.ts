import emailProviders from "email-providers/all.json" with { type: "json" };
import * as z from "zod";
import type { Database } from "../../db/statements.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import { notFound, refusal, unauthenticated } from "../../kernel/errors.ts";
import { requirePermission } from "../../kernel/access.ts";
import { mayDo, type Permission, type Role } from "../../kernel/roles.ts";
import { dayMs, isoTime } from "../../kernel/time.ts";
import { idInput, idOrNull } from "../../kernel/validation/ids.ts";
import { fieldsOf } from "../../kernel/validation/inputs.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { limitCreations, router } from "../../rpc/procedure.ts";
import { actorOf, recordActivity } from "../activity/record.ts";
import { type AccountCall, accountProcedure, personalProcedure, recentlySignedIn } from "../call.ts";
import { addMember, lockWorkspace, requireOwnable } from "./members.ts";
import { slugFor, slugOrNull } from "./membership.ts";
import { assertUnusedByOthers } from "./workspace.row.ts";
import {
  type JoinDomain,
  newWorkspace,
  type Workspace,
  workspaceChanges,
  workspaceSchema,
} from "./workspace.schema.ts";

type Row = Omit<Workspace, "slug" | "role"> & { slug: string | null; role: Role | null };

const toWorkspace = (userId: string, { slug, role, ...row }: Row): Workspace => ({
  ...row,
  slug: slugFor({ id: row.id, slug }, userId),
  role: role ?? "owner",
  created_at: isoTime(row.created_at),
  deletes_at: isoTime(row.deletes_at),
});

/** Statement for the workspaces of a person ($1) that meet a condition. */
const select = (condition: string) =>
  `select w.id, w.slug, w.name, w.plan, w.personal, w.created_at, w.deletes_at, w.join_domains, m.role,
     case when w.offered_until > now() then w.offered_to end as offered_to,
     (select count(*)::int from members where workspace_id = w.id) as members
   from workspaces w left join members m on m.workspace_id = w.id and m.user_id = $1
   where w.erased_at is null and ${condition} order by w.personal desc, w.created_at, w.id`;

/** Who asks, and the one workspace that a key can reach; one of the personal workspace reaches what its person does. */
function callerOf({ actor, account }: AccountCall): { userId: string; only: string | null } {
  if (actor.kind !== "account") throw unauthenticated();
  const userId = actor.user?.id ?? account.id;
  return { userId, only: actor.credential === "key" && userId !== account.id ? account.id : null };
}

/** A workspace of the caller by its id or slug. 404 if they are not in it, 403 if their role there does not allow `permission`. */
export async function findWorkspace(
  ctx: AccountCall,
  id: string,
  permission?: Permission,
  database: Database = ctx.deps.pool,
): Promise<Workspace> {
  const { userId, only } = callerOf(ctx);
  const { rows } = await database.query<Row>(
    select(
      "(w.id = $2 or w.slug = $3 or ($3 = 'personal' and w.id = $1)) and ($4::uuid is null or w.id = $4)",
    ),
    [userId, idOrNull(id), slugOrNull(id), only],
  );
  const [row] = rows;
  const { actor, account } = ctx;
  const isOwn = actor.kind === "account" && actor.user === undefined && row?.id === account.id;
  if (!row || (row.role === null && !isOwn)) throw notFound("Workspace");
  const role = row.role ?? undefined;
  if (permission && actor.kind === "account") requirePermission({ ...actor, role }, permission);
  return toWorkspace(userId, row);
}

/** The activity of a workspace that the call names by its id. */
const actorIn = (ctx: AccountCall, id: string) => ({ ...actorOf(ctx), account_id: id });

const list = accountProcedure
  .meta({
    scope: "account",
    permission: null,
    route: "GET /v1/workspaces",
    tag: "Workspaces",
    summary: "List workspaces",
    description:
      "A workspace owns links, domains and keys, and has members with roles. Everyone has a personal one. With an API key, the list has only the key's workspace.",
    successDescription: "The caller's workspaces, the personal one first",
  })
  .input(
    fieldsOf({
      joinable: z
        .boolean("must be true or false")
        .describe("Instead those that the caller may join by their e-mail address")
        .optional(),
    }).prefault({}),
  )
  .output(z.array(workspaceSchema))
  .query(async ({ ctx, input }) => {
    const { userId, only } = callerOf(ctx);
    const { pool } = ctx.deps;
    if (!input.joinable) {
      const own = "(m.role is not null or w.id = $2) and ($2::uuid is null or w.id = $2)";
      return (await pool.query<Row>(select(own), [userId, only])).rows.map((row) => toWorkspace(userId, row));
    }
    if (only !== null) return [];
    const domain = await verifiedDomain(ctx, userId);
    const { rows } = await pool.query<Row>(select("m.role is null and w.join_domains @> $2"), [
      userId,
      JSON.stringify([{ domain }]),
    ]);
    return rows.map((row) =>
      toWorkspace(userId, { ...row, role: roleFor(row.join_domains, domain), join_domains: [] }),
    );
  });

const roleFor = (domains: readonly { domain: string; role: Role }[], domain: string | null): Role | null =>
  domains.find((entry) => entry.domain === domain)?.role ?? null;

/** The domain of a person's address; null if that is not verified. */
async function verifiedDomain({ deps }: AccountCall, userId: string): Promise<string | null> {
  const { rows } = await deps.pool.query<{ email: string }>(
    "select email from workspaces where id = $1 and email_verified and email is not null",
    [userId],
  );
  const [person] = rows;
  return person ? person.email.slice(person.email.lastIndexOf("@") + 1) : null;
}

const get = accountProcedure
  .meta({
    scope: "account",
    permission: null,
    route: "GET /v1/workspaces/{id}",
    tag: "Workspaces",
    summary: "Get a workspace",
    description: "`id` may also be the slug.",
    successDescription: "The workspace",
    errors: [404],
  })
  .input(idInput)
  .output(workspaceSchema)
  .query(({ ctx, input: { id } }) => findWorkspace(ctx, id));

const create = personalProcedure
  .meta({
    scope: "account",
    route: "POST /v1/workspaces",
    tag: "Workspaces",
    summary: "Create a workspace",
    description: "The caller becomes its owner. It has the plan that new accounts get.",
    example: { name: "Acme marketing" },
    successDescription: "The new workspace",
    successStatus: 201,
    errors: [409, 429],
  })
  .use(limitCreations)
  .input(newWorkspace)
  .output(workspaceSchema)
  .mutation(async ({ ctx, input: { name, slug } }) => {
    const { deps } = ctx;
    const { userId } = callerOf(ctx);
    const id = deps.newId();
    const made = await inIdempotentTransaction(ctx, async (database) => {
      await requireOwnable(database, userId, deps.workspacesMax);
      const now = deps.clock();
      const values = [id, slug ?? slugFrom(name, id), name, deps.policy.defaultPlan, now];
      await database
        .query(
          `insert into workspaces (id, slug, name, plan, created_at, personal) values ($1, $2, $3, $4, $5, false)`,
          values,
        )
        .catch(slugTaken);
      await database.query("insert into members values ($1, $2, 'owner', 'creation', $3)", [id, userId, now]);
      const { rows } = await database.query<Row>(select("w.id = $2"), [userId, id]);
      return toWorkspace(userId, rows[0] as Row);
    });
    await recordActivity(deps, actorIn(ctx, id), "workspace_created", name);
    return made;
  });

/** The name in letters that slugs have, with the end of the id, so that it is free. */
function slugFrom(name: string, id: string): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return `${plain.slice(0, 30) || "workspace"}-${id.slice(-6)}`.replaceAll(/-{2,}/g, "-");
}

function slugTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  throw refusal("CONFLICT", "slug", "conflict", "is taken by another workspace: choose another one", {
    reason: "workspace_slug_taken",
  });
}

const update = accountProcedure
  .meta({
    scope: "members",
    permission: null,
    permissionInside: "members",
    route: "PATCH /v1/workspaces/{id}",
    tag: "Workspaces",
    summary: "Change a workspace",
    example: { join_domains: [{ domain: "acme.com", role: "viewer" }] },
    successDescription: "The workspace",
    errors: [404, 409],
  })
  .input(workspaceChanges)
  .output(workspaceSchema)
  .mutation(async ({ ctx, input }) => {
    const { id, name, slug, join_domains } = input;
    const before = await findWorkspace(ctx, id, "members");
    if (before.personal && slug !== undefined) {
      const message = "cannot be set on a personal workspace";
      throw refusal("FORBIDDEN", "slug", "forbidden", message, { reason: "personal_workspace" });
    }
    for (const [at, { domain }] of (join_domains ?? []).entries()) refusePublicMail(domain, at);
    await ctx.deps.pool
      .query(
        `update workspaces set name = coalesce($2, name), slug = coalesce($3, slug),
           join_domains = coalesce($4, join_domains) where id = $1`,
        [before.id, name, slug, join_domains && JSON.stringify(join_domains)],
      )
      .catch(slugTaken);
    await recordActivity(ctx.deps, actorIn(ctx, before.id), "workspace_changed", name ?? before.name);
    return findWorkspace(ctx, before.id);
  });

const publicMail = new Set(emailProviders);

function refusePublicMail(domain: JoinDomain["domain"], at: number): void {
  // The list has the reserved names of examples (RFC 2606), too.
  if (!publicMail.has(domain) || domain.startsWith("example.")) return;
  const message = "is a public mail service, whose addresses anyone can get";
  throw refusal("BAD_REQUEST", `join_domains.${at}.domain`, "forbidden", message, { reason: "public_mail" });
}

/** A deleted workspace is kept for as long as a deleted account. */
const graceMs = 7 * dayMs;

const remove = recentlySignedIn("delete the workspace")
  .meta({
    scope: "account",
    permissionInside: "account",
    route: "DELETE /v1/workspaces/{id}",
    tag: "Workspaces",
    summary: "Delete a workspace",
    description:
      "Its keys are refused and its links answer 410 at once. Until it is erased seven days later, its owner can restore it. The personal workspace is deleted with the account. 403 while it shares domains.",
    successDescription: "The workspace, with the time at which it is erased",
    errors: [404],
  })
  .input(idInput)
  .output(workspaceSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const found = await findWorkspace(ctx, id, "account");
    if (found.personal) {
      const message = "A personal workspace is deleted with the account: use DELETE /v1/me";
      throw refusal("FORBIDDEN", "", "forbidden", message, { reason: "personal_workspace" });
    }
    await assertUnusedByOthers(ctx.deps.pool, found.id);
    const deletesAt = new Date(ctx.deps.clock().getTime() + graceMs);
    await setDeletion(ctx.deps.pool, found.id, deletesAt);
    await recordActivity(ctx.deps, actorIn(ctx, found.id), "deletion_requested", found.name);
    return findWorkspace(ctx, found.id);
  });

const restore = recentlySignedIn("restore the workspace")
  .meta({
    scope: "account",
    permissionInside: "account",
    route: "POST /v1/workspaces/{id}/restore",
    tag: "Workspaces",
    summary: "Restore a deleted workspace",
    successDescription: "The workspace, which is not deleted any more",
    errors: [404],
  })
  .input(idInput)
  .output(workspaceSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const found = await findWorkspace(ctx, id, "account");
    const restored = await inIdempotentTransaction(ctx, async (database) => {
      await setDeletion(database, found.id, null);
      return findWorkspace(ctx, found.id, undefined, database);
    });
    if (found.deletes_at !== null)
      await recordActivity(ctx.deps, actorIn(ctx, found.id), "deletion_revoked", found.name);
    return restored;
  });

const setDeletion = (database: Database, id: string, at: Date | null) =>
  database.query("update workspaces set deletes_at = $2 where id = $1 and erased_at is null", [id, at]);

const transfer = recentlySignedIn("transfer the workspace")
  .meta({
    scope: "account",
    permissionInside: "account",
    route: "POST /v1/workspaces/{id}/transfer",
    tag: "Workspaces",
    summary: "Offer the ownership to a member",
    description:
      "Within seven days, the member accepts; the former owner then becomes an admin. Offering it to oneself withdraws an offer.",
    example: { user_id: "0197b1c2-0000-7000-8000-000000000000" },
    successDescription: "The workspace with the offer",
    errors: [404],
  })
  .input(fieldsOf({ id: z.string(), user_id: z.string() }))
  .output(workspaceSchema)
  .mutation(async ({ ctx, input: { id, user_id } }) => {
    const found = await findWorkspace(ctx, id, "account");
    const { userId } = callerOf(ctx);
    const until = user_id === userId ? null : new Date(ctx.deps.clock().getTime() + graceMs);
    const offered = await inIdempotentTransaction(ctx, async (database) => {
      const { rowCount } = await database.query(
        `update workspaces set offered_to = case when $3::timestamptz is not null then $2::uuid end, offered_until = $3
       where id = $1 and not personal and exists (select from members where workspace_id = $1 and user_id = $2)`,
        [found.id, idOrNull(user_id), until],
      );
      if (rowCount === 0) throw notFound("Member");
      return findWorkspace(ctx, found.id, undefined, database);
    });
    const { rows } = await ctx.deps.pool.query<{ email: string | null }>(
      "select email from workspaces where id = $1",
      [user_id],
    );
    const target = { name: rows[0]?.email };
    await recordActivity(ctx.deps, actorIn(ctx, found.id), "ownership_offered", user_id, target);
    return offered;
  });

const acceptTransfer = recentlySignedIn("become the owner of the workspace")
  .meta({
    scope: "account",
    route: "POST /v1/workspaces/{id}/transfer/accept",
    tag: "Workspaces",
    summary: "Accept the ownership",
    successDescription: "The workspace, which the caller owns now",
    errors: [404],
  })
  .input(idInput)
  .output(workspaceSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps } = ctx;
    const { userId } = callerOf(ctx);
    const found = await findWorkspace(ctx, id);
    const owned = await inIdempotentTransaction(ctx, async (database) => {
      await requireOwnable(database, userId, deps.workspacesMax);
      await lockWorkspace(database, found.id);
      const { rowCount } = await database.query(
        `update workspaces set offered_to = null, offered_until = null
         where id = $1 and offered_to = $2 and offered_until > $3`,
        [found.id, userId, deps.clock()],
      );
      if (rowCount === 0) throw notFound("Offer");
      const change = "update members set role = $2 where workspace_id = $1 and ";
      await database.query(`${change} role = 'owner'`, [found.id, "admin"]);
      await database.query(`${change} user_id = $3`, [found.id, "owner", userId]);
      return findWorkspace(ctx, found.id, undefined, database);
    });
    const name = ctx.actor.kind === "account" ? ctx.actor.user?.email : null;
    await recordActivity(deps, actorIn(ctx, found.id), "ownership_transferred", userId, { name });
    return owned;
  });

const endTransfer = personalProcedure
  .meta({
    scope: "account",
    route: "DELETE /v1/workspaces/{id}/transfer",
    tag: "Workspaces",
    summary: "Decline the ownership, or withdraw the offer",
    description: "For the member to whom it is offered, and for the owner.",
    successDescription: "The workspace, whose owner stays",
    errors: [404],
  })
  .input(idInput)
  .output(workspaceSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps } = ctx;
    const { userId } = callerOf(ctx);
    const found = await findWorkspace(ctx, id);
    const { rowCount } = await deps.pool.query(
      `update workspaces set offered_to = null, offered_until = null
       where id = $1 and offered_until > $2 and (offered_to = $3 or $4)`,
      [found.id, deps.clock(), userId, mayDo(found.role, "account")],
    );
    if (rowCount === 0) throw notFound("Offer");
    const name = ctx.actor.kind === "account" ? ctx.actor.user?.email : null;
    await recordActivity(deps, actorIn(ctx, found.id), "ownership_declined", userId, { name });
    return { ...found, offered_to: null };
  });

const join = personalProcedure
  .meta({
    scope: "account",
    route: "POST /v1/workspaces/{id}/join",
    tag: "Workspaces",
    summary: "Join a workspace",
    description: "For people whose verified e-mail address is at one of the workspace's `join_domains`.",
    successDescription: "The workspace",
    errors: [404],
  })
  .input(idInput)
  .output(workspaceSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps } = ctx;
    const { userId } = callerOf(ctx);
    const domain = await verifiedDomain(ctx, userId);
    let added = false;
    const joined = await inIdempotentTransaction(ctx, async (database) => {
      const { rows } = await database.query<{ join_domains: JoinDomain[] }>(
        "select join_domains from workspaces where id = $1 and join_domains @> $2 and deletes_at is null",
        [idOrNull(id), JSON.stringify([{ domain }])],
      );
      const role = rows[0]?.join_domains.find((entry) => entry.domain === domain)?.role;
      if (role === undefined) throw notFound("Workspace");
      const workspace = await lockWorkspace(database, id);
      added = await addMember(deps, database, workspace, { user_id: userId, role, via: "domain" });
      return findWorkspace(ctx, id, undefined, database);
    });
    if (added) {
      const target = { id: userId, name: ctx.actor.kind === "account" ? ctx.actor.user?.email : null };
      await recordActivity(deps, actorIn(ctx, id), "member_added", domain, target);
    }
    return joined;
  });

export const workspacesRouter = router({
  list,
  get,
  create,
  update,
  delete: remove,
  restore,
  transfer,
  acceptTransfer,
  endTransfer,
  join,
});
