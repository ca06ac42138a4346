import * as z from "zod";
import type { Database } from "../../db/statements.ts";
import type { Person } from "../../kernel/context.ts";
import { notFound } from "../../kernel/errors.ts";
import { ownerEmail } from "../../kernel/names.ts";
import { hashToken, isPlausibleToken, newToken } from "../../kernel/secrets.ts";
import { dayMs, isoTime } from "../../kernel/time.ts";
import { deletedSchema, idInput, idOrNull } from "../../kernel/validation/ids.ts";
import { fieldsOf, noFields } from "../../kernel/validation/inputs.ts";
import { shown, textUpTo } from "../../kernel/validation/strings.ts";
import type { Mail, MailLanguage } from "../../mail/mail.types.ts";
import { queueMail } from "../../mail/queue.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { router } from "../../rpc/procedure.ts";
import { actorOf, recordActivity } from "../activity/record.ts";
import { type AccountCall, type AccountDeps, accountProcedure, personalProcedure } from "../call.ts";
import { addMember, lockWorkspace, requireRoom } from "./members.ts";
import { requireNotAbove } from "./member.procedures.ts";
import { findWorkspace } from "./workspace.procedures.ts";
import {
  type Invitation,
  invitationInput,
  invitationSchema,
  newInvitationSchema,
  type OpenInvitation,
  workspaceSchema,
} from "./workspace.schema.ts";

const select = (condition: string) =>
  `select i.id, i.email, i.role, i.created_at, i.expires_at,
     case when p.id is not null then jsonb_build_object('id', p.id, 'name', p.name) end as invited_by
   from invitations i left join workspaces p on p.id = i.invited_by where ${condition} order by i.id desc`;

const list = accountProcedure
  .meta({
    scope: "members",
    route: "GET /v1/invitations",
    tag: "Workspaces",
    summary: "List open invitations",
    successDescription: "Invitations that nobody has accepted yet, newest first",
  })
  .input(noFields)
  .output(z.array(invitationSchema))
  .query(async ({ ctx: { deps, account } }) => {
    const { rows } = await deps.pool.query<Invitation>(select("i.account_id = $1 and i.expires_at > $2"), [
      account.id,
      deps.clock(),
    ]);
    return rows.map((row) => ({
      ...row,
      created_at: isoTime(row.created_at),
      expires_at: isoTime(row.expires_at),
    }));
  });

const create = accountProcedure
  .meta({
    scope: "members",
    hasSecret: true,
    route: "POST /v1/invitations",
    tag: "Workspaces",
    summary: "Invite someone",
    description:
      "The service mails it to `email`, at most three a day to one mailbox; or send the answer's `url` yourself. An invitation can be accepted once. A new one for the same address replaces the previous one.",
    example: { email: "ada@example.com", role: "editor" },
    successDescription: "The invitation and its address, which is shown only once",
    successStatus: 201,
    errors: [429],
  })
  .input(invitationInput)
  .output(newInvitationSchema)
  .mutation(async ({ ctx, input: { email = null, role, expires_in_days } }) => {
    const { deps, account, actor, reply } = ctx;
    requireNotAbove(ctx, role);
    await deps.limits.take("invitations", account.id, reply);
    const now = deps.clock();
    const token = newToken(deps.randomBytes);
    const by = (actor.kind === "account" && actor.user) || null;
    const made = await inIdempotentTransaction(ctx, async (database) => {
      const workspace = await lockWorkspace(database, account.id);
      await database.query(
        "delete from invitations where account_id = $1 and (expires_at <= $2 or email = $3)",
        [account.id, now, email],
      );
      const { rows } = await database.query<{ open: number }>(
        "select count(*)::int as open from invitations where account_id = $1",
        [account.id],
      );
      requireRoom(deps.plans, workspace, 1 + (rows[0]?.open ?? 0));
      const expires = new Date(now.getTime() + expires_in_days * dayMs);
      const row = { id: deps.newId(), email, role, created_at: now, expires_at: expires };
      await database.query(
        `insert into invitations (id, account_id, email, role, hash, invited_by, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [row.id, account.id, email, role, hashToken(token), by?.id, now, expires],
      );
      const inviter = by?.name ?? workspace.name;
      const data = { workspace: workspace.name, inviter, role, days: expires_in_days };
      const mail = { kind: "invitation", data, secret: { path: `/invite/${token}` } } as const;
      if (email !== null) await mailInvitation(ctx, database, email, by?.id, mail);
      return shown(newInvitationSchema, {
        ...row,
        invited_by: by && { id: by.id, name: by.name },
        url: new URL(`/invite/${token}`, deps.baseUrl).href,
      });
    });
    const target = { id: made.id, name: email ?? "a link" };
    await recordActivity(deps, actorOf(ctx), "invitation_created", `${email ?? "a link"} as ${role}`, target);
    return made;
  });

/** Mails about invitations to one address, whatever follows a plus sign in it, within a day */
const mailsPerAddress = 3;

/**
 * Mails an invitation, in the language of the person with the address, or else of the inviter. Beyond the limit it sends none,
 * and no answer tells: the inviter would learn of others' invitations.
 */
async function mailInvitation(
  { deps, account }: AccountCall,
  database: Database,
  address: string,
  inviter: string | undefined,
  mail: Mail,
): Promise<void> {
  const mailbox = address.replace(/\+[^@]*@/, "@");
  // Concurrent invitations for one mailbox queue here.
  await database.query("select pg_advisory_xact_lock(hashtextextended($1, 2))", [mailbox]);
  const { rows } = await database.query<{ sent: number; language: MailLanguage | null }>(
    `select coalesce((select language from workspaces where email = $1),
         (select language from workspaces where id = $3)) as language,
       (select count(*) from mails where kind = 'invitation' and expires_at > created_at
          and created_at > $4::timestamptz - interval '1 day'
          and regexp_replace(address, '[+][^@]*@', '@') = $2)::int as sent`,
    [address, mailbox, inviter, deps.clock()],
  );
  const [{ sent, language } = { sent: 0, language: null }] = rows;
  const isVoid = sent >= mailsPerAddress || address === ownerEmail || address.endsWith(".invalid");
  // The workspace's, since it names it.
  await queueMail(database, deps, { address, language, account_id: account.id }, mail, { isVoid });
}

const withdraw = accountProcedure
  .meta({
    scope: "members",
    route: "DELETE /v1/invitations/{id}",
    tag: "Workspaces",
    summary: "Withdraw an invitation",
    successDescription: "The invitation can no longer be accepted",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { rows } = await ctx.deps.pool.query<{ email: string | null }>(
      "delete from invitations where id = $1 and account_id = $2 returning email",
      [idOrNull(id), ctx.account.id],
    );
    const [gone] = rows;
    if (!gone) throw notFound("Invitation");
    await recordActivity(ctx.deps, actorOf(ctx), "invitation_withdrawn", gone.email ?? "a link", { id });
    return { id, deleted: true as const };
  });

/**
 * What the page of an invitation says to a person; null if it is for someone else, was accepted or withdrawn, has expired
 * or never existed.
 */
export async function openInvitation(
  { pool, clock }: Pick<AccountDeps, "pool" | "clock">,
  token: string,
  userId: string,
): Promise<OpenInvitation | null> {
  if (!isPlausibleToken(token)) return null;
  const { rows } = await pool.query<OpenInvitation>(
    `select w.name as workspace, i.role from invitations i join workspaces w on w.id = i.account_id
     where i.hash = $1 and i.expires_at > $2 and w.deletes_at is null and w.suspended_at is null
       and (i.email is null or exists (
         select from workspaces p where p.id = $3 and p.email = i.email and p.email_verified))`,
    [hashToken(token), clock(), userId],
  );
  return rows[0] ?? null;
}

const accept = personalProcedure
  .meta({
    scope: "account",
    route: "POST /v1/invitations/accept",
    tag: "Workspaces",
    summary: "Accept an invitation",
    description:
      "`token` is the last part of the invitation's address. If the invitation names an e-mail address, it must be the caller's, and verified.",
    example: { token: "the last part of its address" },
    successDescription: "The workspace, which the caller is now a member of",
    errors: [404],
  })
  .input(fieldsOf({ token: textUpTo(200).describe("The last part of the invitation's address") }))
  .output(workspaceSchema)
  .mutation(async ({ ctx, input: { token } }) => {
    const { deps } = ctx;
    const person = personOf(ctx);
    const joined = await inIdempotentTransaction(ctx, async (database) => {
      const { rows } = await database.query<{
        account_id: string;
        email: string | null;
        role: "viewer" | "editor" | "admin";
      }>("select account_id, email, role from invitations where hash = $1 and expires_at > $2", [
        hashToken(token),
        deps.clock(),
      ]);
      const [invitation] = rows;
      if (!invitation) throw notFound("Invitation");
      const workspace = await lockWorkspace(database, invitation.account_id);
      // Only now, so that of two at once the second finds nothing.
      const { rowCount } = await database.query("delete from invitations where hash = $1", [
        hashToken(token),
      ]);
      if (rowCount === 0) throw notFound("Invitation");
      if (invitation.email !== null) await requireAddress(database, person, invitation.email);
      await addMember(deps, database, workspace, {
        user_id: person.id,
        role: invitation.role,
        via: "invitation",
      });
      return findWorkspace(ctx, workspace.id, undefined, database);
    });
    const by = { ...actorOf(ctx), account_id: joined.id };
    const target = { id: person.id, name: person.email ?? null };
    await recordActivity(deps, by, "member_added", `${person.email ?? person.id} as ${joined.role}`, target);
    return joined;
  });

const personOf = ({ actor, account }: AccountCall): Pick<Person, "id"> & Partial<Person> =>
  (actor.kind === "account" && actor.user) || account;

/** 404, as for an invitation that never existed: whoever has the link of someone else learns nothing. */
async function requireAddress(database: Database, { id }: Pick<Person, "id">, email: string): Promise<void> {
  const { rowCount } = await database.query(
    "select from workspaces where id = $1 and email = $2 and email_verified",
    [id, email],
  );
  if (rowCount === 0) throw notFound("Invitation");
}

export const invitationsRouter = router({ list, create, withdraw, accept });
