import * as z from "zod";
import { assertUnusedByOthers } from "../accounts/workspaces/workspace.row.ts";
import { actorOf, recordActivity } from "../accounts/activity/record.ts";
import { inTransaction } from "../db/connection.ts";
import { idInput, idOrNull, deletedSchema } from "../kernel/validation/ids.ts";
import { noFields } from "../kernel/validation/inputs.ts";
import { router } from "../rpc/procedure.ts";
import { accountProcedure, requires } from "./call.ts";
import { applyVerdict } from "./checks.ts";
import { createDomain, nameTaken } from "./create.ts";
import { DomainEntity, domainNotFound, findDomain, findUsable, noSettings, toDomain } from "./domain.row.ts";
import { domainDetailsSchema, domainSchema, verificationSchema } from "./domain.schema.ts";
import { registrableOf } from "./domain-name.ts";
import { checkRecords, nameServersOf } from "./records.ts";
import { isSharedWith } from "./sharing.ts";
import { recordSharing, updateDomain } from "./update.ts";

/** The domains that the account may use, newest first, its own with the records to set. */
const listDomains = requires("custom_domains")
  .meta({
    scope: "domains",
    permission: "links:read",
    route: "GET /v1/domains",
    tag: "Domains",
    summary: "List custom domains",
    description:
      "Domains that other workspaces share are among them, with `owned` false: links can be created on them.",
    successDescription: "The domains that the account may use, newest first",
  })
  .input(noFields)
  .output(z.array(domainSchema))
  .query(async ({ ctx }) => {
    const { id } = ctx.account;
    const shared = await ctx.deps.pool.query<{ id: string }>(
      `select id from domains where ${isSharedWith("$1")}`,
      [id],
    );
    const rows = await ctx.em.find(
      DomainEntity,
      { deleted_at: null, $or: [{ account_id: id }, { id: { $in: shared.rows.map((row) => row.id) } }] },
      { orderBy: { created_at: "desc", id: "desc" } },
    );
    return Promise.all(rows.map((row) => toDomain(ctx.deps, row, id)));
  });

/** Returns a domain with its name servers and the number of its links. Takes at most 3.5 seconds, as `verify` does. */
const getDomain = accountProcedure
  .meta({
    scope: "domains",
    permission: "links:read",
    route: "GET /v1/domains/{id}",
    tag: "Domains",
    summary: "Get a custom domain",
    description:
      "Looks up the name servers but does not verify the domain. Shares the limit of sixty verifications a minute.",
    successDescription: "The domain, its name servers, and its number of links",
    errors: [404, 429],
  })
  .input(idInput)
  .output(domainDetailsSchema)
  .query(async ({ ctx, input }) => {
    const { deps, account } = ctx;
    const row = await findUsable(ctx, input.id);
    const owned = row.account_id === account.id;
    await deps.limits.take("domain-verification", account.id, ctx.reply);
    const zone = registrableOf(row.domain) ?? row.domain;
    const [domain, name_servers, { rows }] = await Promise.all([
      toDomain(deps, row, account.id),
      owned ? nameServersOf(deps.dns, row.domain, zone) : null,
      deps.pool.query<{ links: number; others: number }>(
        `select count(*) filter (where account_id = $2)::int as links,
           count(*) filter (where account_id <> $2)::int as others from links where domain_id = $1`,
        [row.id, account.id],
      ),
    ]);
    const { links = 0, others = 0 } = rows[0] ?? {};
    return { ...domain, zone, name_servers, links, links_of_others: owned ? others : null };
  });

/** Checks a domain's records now and returns its status. Answers within five seconds, even if resolvers do not. */
const verifyDomain = accountProcedure
  .meta({
    scope: "domains",
    route: "GET /v1/domains/{id}/verify",
    tag: "Domains",
    summary: "Verify a custom domain",
    description:
      "Looks up both records, at most sixty times a minute. The domain is verified if both are right; 409 if another account verified the name first. A HEAD request or a prefetch (`Sec-Purpose`) changes nothing.",
    successDescription: "The status of the domain, and the result of the check",
    errors: [404, 409, 429],
  })
  .input(idInput)
  .output(verificationSchema)
  .query(async ({ ctx, input }) => {
    const { deps } = ctx;
    const row = await findDomain(ctx, input.id);
    await deps.limits.take("domain-verification", ctx.account.id, ctx.reply);
    const { verdict, checks } = await checkRecords(deps, row);
    if (ctx.isPrefetch) return { ...(await toDomain(deps, row)), checks };
    const after = await applyVerdict(deps, row, verdict, actorOf(ctx));
    if (!after) throw domainNotFound();
    if (verdict === "good" && after.status === "failed") throw nameTaken(row.domain);
    return { ...(await toDomain(deps, after)), checks };
  });

/**
 * Deletes a domain, unless it is shared and has links of other workspaces (409): nothing is served under its name any more. The row remains, because links refer to it: they stay in
 * the account with their clicks, and are served again if the account verifies the name again.
 */
const deleteDomain = accountProcedure
  .meta({
    scope: "domains",
    route: "DELETE /v1/domains/{id}",
    tag: "Domains",
    summary: "Delete a custom domain",
    description:
      "Its links are no longer served, but stay in the account with their clicks. If the account adds and verifies the name again, they are served again. 409 while the domain is shared and other workspaces have links on it: first set `shared_with` to [].",
    successDescription: "The domain was deleted",
    errors: [404, 409],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { deps, account } = ctx;
    const { domain, shared_with } = await inTransaction(ctx, async (database, em) => {
      // Links that are being created on a shared domain wait for it, or it for them.
      await database.query("select from domains where id = $1 for update", [idOrNull(id)]);
      const row = await findDomain({ em, account }, id);
      await assertUnusedByOthers(database, account.id, id);
      const gone = await em.nativeUpdate(
        DomainEntity,
        { id, account_id: account.id, deleted_at: null },
        // Only a verified name is reserved; as pending, the row no longer reserves it.
        {
          ...noSettings,
          deleted_at: deps.clock(),
          status: "pending",
          verified_at: null,
          broken_since: null,
        },
      );
      if (gone === 0) throw domainNotFound();
      return row;
    });
    await recordActivity(deps, actorOf(ctx), "domain_deleted", domain, { id });
    await recordSharing(ctx, { id, domain }, shared_with, []);
    return { id, deleted: true as const };
  });

export const domainsRouter = router({
  list: listDomains,
  create: createDomain,
  get: getDomain,
  verify: verifyDomain,
  update: updateDomain,
  delete: deleteDomain,
});
