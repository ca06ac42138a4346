import * as z from "zod";
import { inTransaction } from "../../db/connection.ts";
import type { Database } from "../../db/statements.ts";
import { issue } from "../../kernel/issues.ts";
import { AppError, notFound } from "../../kernel/errors.ts";
import { requirePermission } from "../../kernel/access.ts";
import { isAbove, type Role } from "../../kernel/roles.ts";
import { isId } from "../../kernel/validation/ids.ts";
import { fieldsOf, noFields } from "../../kernel/validation/inputs.ts";
import { isoTime } from "../../kernel/time.ts";
import { router } from "../../rpc/procedure.ts";
import { actorOf, recordActivity } from "../activity/record.ts";
import { type AccountCall, accountProcedure } from "../call.ts";
import { lockWorkspace, removeMember } from "./members.ts";
import { type Member, memberChange, memberSchema } from "./workspace.schema.ts";

async function membersOf(database: Database, workspaceId: string, userId?: string): Promise<Member[]> {
  const { rows } = await database.query<Member>(
    `select user_id, p.name, p.email, role, via, joined_at,
       (select max(last_seen_at) from sessions where account_id = user_id) as last_seen_at
     from members join workspaces p on p.id = user_id
     where workspace_id = $1 and ($2::uuid is null or user_id = $2)
     order by array_position(array['owner', 'admin', 'editor', 'viewer'], role), p.name, user_id`,
    [workspaceId, userId],
  );
  return rows.map((row) => ({
    ...row,
    joined_at: isoTime(row.joined_at),
    last_seen_at: isoTime(row.last_seen_at),
  }));
}

/** The member with this id. 404 if the workspace has none. */
async function memberOf(database: Database, workspaceId: string, userId: string): Promise<Member> {
  const [found] = isId(userId) ? await membersOf(database, workspaceId, userId) : [];
  if (!found) throw notFound("Member");
  return found;
}

/** 403 if the role, which someone has or gets, is above the caller's own. */
export function requireNotAbove({ actor }: AccountCall, role: Role): void {
  const own = actor.kind === "account" ? (actor.role ?? "owner") : "viewer";
  if (!isAbove(role, own)) return;
  const message = `Your role in this workspace is ${own}: you cannot give or take the role ${role}`;
  throw new AppError("FORBIDDEN", issue("role", "role_required", message, { role: own, needs: role }));
}

const list = accountProcedure
  .meta({
    scope: "members",
    permission: "links:read",
    route: "GET /v1/members",
    tag: "Workspaces",
    summary: "List members",
    successDescription: "The members of the workspace, the owner first",
  })
  .input(noFields)
  .output(z.array(memberSchema))
  .query(({ ctx }) => membersOf(ctx.deps.pool, ctx.account.id));

const update = accountProcedure
  .meta({
    scope: "members",
    route: "PATCH /v1/members/{user_id}",
    tag: "Workspaces",
    summary: "Change a member's role",
    description:
      "The role holds from the next request on, on every node. Nobody gives or takes a role above their own.",
    example: { role: "editor" },
    successDescription: "The member",
    errors: [404, 409],
  })
  .input(memberChange)
  .output(memberSchema)
  .mutation(async ({ ctx, input: { user_id, role } }) => {
    const { deps, account } = ctx;
    requireNotAbove(ctx, role);
    const before = await inTransaction(deps.pool, async (database) => {
      await lockWorkspace(database, account.id);
      const member = await memberOf(database, account.id, user_id);
      requireOwnerStays(member);
      requireNotAbove(ctx, member.role);
      await database.query("update members set role = $3 where workspace_id = $1 and user_id = $2", [
        account.id,
        user_id,
        role,
      ]);
      return member;
    });
    if (before.role !== role)
      await recordActivity(
        deps,
        actorOf(ctx),
        "member_changed",
        `${before.email} from ${before.role} to ${role}`,
        { id: user_id, name: before.email, before: { role: before.role }, after: { role } },
      );
    return { ...before, role };
  });

/** The owner's role changes only by a transfer. */
function requireOwnerStays({ role }: Member): void {
  if (role !== "owner") return;
  const message = "A workspace always has an owner: transfer the ownership first";
  throw new AppError("CONFLICT", issue("", "conflict", message, { reason: "last_owner" }));
}

const remove = accountProcedure
  .meta({
    scope: "members",
    permission: "links:read",
    permissionInside: "members",
    route: "DELETE /v1/members/{user_id}",
    tag: "Workspaces",
    summary: "Remove a member, or leave",
    description:
      "Everyone may leave, except the owner; others are removed by admins. The person's API keys and connections in the workspace end at once, and their links stay.",
    successDescription: "The person is no longer a member",
    errors: [404, 409],
  })
  .input(fieldsOf({ user_id: z.string().describe("The member") }))
  .output(z.object({ user_id: z.string(), deleted: z.literal(true) }))
  .mutation(async ({ ctx, input: { user_id } }) => {
    const { deps, account, actor } = ctx;
    const isOneself = actor.kind === "account" && actor.user?.id === user_id;
    if (!isOneself) requirePermission(actor, "members");
    const gone = await inTransaction(deps.pool, async (database) => {
      const workspace = await lockWorkspace(database, account.id);
      const member = await memberOf(database, account.id, user_id);
      if (!isOneself) requireNotAbove(ctx, member.role);
      await removeMember(database, workspace, user_id);
      return member;
    });
    await recordActivity(deps, actorOf(ctx), "member_removed", gone.email, { id: user_id });
    return { user_id, deleted: true as const };
  });

export const membersRouter = router({ list, update, remove });
