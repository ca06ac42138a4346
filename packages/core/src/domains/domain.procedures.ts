import * as z from "zod";
import { actorOf, recordActivity } from "../accounts/activity/record.ts";
import { idInput, deletedSchema } from "../kernel/validation/ids.ts";
import { noFields } from "../kernel/validation/inputs.ts";
import { router } from "../rpc/procedure.ts";
import { accountProcedure, requires } from "./call.ts";
import { applyVerdict } from "./checks.ts";
import { createDomain, nameTaken } from "./create.ts";
import { DomainEntity, domainNotFound, findDomain, noSettings, toDomain } from "./domain.row.ts";
import { domainDetailsSchema, domainSchema, verificationSchema } from "./domain.schema.ts";
import { registrableOf } from "./domain-name.ts";
import { checkRecords, nameServersOf } from "./records.ts";
import { updateDomain } from "./update.ts";

/** The account's domains, newest first, each with the records to set. */
const listDomains = requires("custom_domains")
  .meta({
    scope: "domains",
    permission: "links:read",
    route: "GET /v1/domains",
    tag: "Domains",
    summary: "List custom domains",
    successDescription: "The account's domains, newest first",
  })
  .input(noFields)
  .output(z.array(domainSchema))
  .query(async ({ ctx }) => {
    const rows = await ctx.em.find(
      DomainEntity,
      { account_id: ctx.account.id, deleted_at: null },
      { orderBy: { created_at: "desc", id: "desc" } },
    );
    return Promise.all(rows.map((row) => toDomain(ctx.deps, row)));
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
    const row = await findDomain(ctx, input.id);
    await deps.limits.take("domain-verification", account.id, ctx.reply);
    const zone = registrableOf(row.domain) ?? row.domain;
    const [domain, name_servers, { rows }] = await Promise.all([
      toDomain(deps, row),
      nameServersOf(deps.dns, row.domain, zone),
      deps.pool.query<{ links: number }>(
        "select count(*)::int as links from links where domain_id = $1 and account_id = $2",
        [row.id, account.id],
      ),
    ]);
    return { ...domain, zone, name_servers, links: rows[0]?.links ?? 0 };
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
 * Deletes a domain: nothing is served under its name any more. The row remains, because links refer to it: they stay in
 * the account with their clicks, and are served again if the account verifies the name again.
 */
const deleteDomain = accountProcedure
  .meta({
    scope: "domains",
    route: "DELETE /v1/domains/{id}",
    tag: "Domains",
    summary: "Delete a custom domain",
    description:
      "Its links are no longer served, but stay in the account with their clicks. If the account adds and verifies the name again, they are served again.",
    successDescription: "The domain was deleted",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { domain } = await findDomain(ctx, id);
    const gone = await ctx.em.nativeUpdate(
      DomainEntity,
      { id, account_id: ctx.account.id, deleted_at: null },
      // Only a verified name is reserved; as pending, the row no longer reserves it.
      {
        ...noSettings,
        deleted_at: ctx.deps.clock(),
        status: "pending",
        verified_at: null,
        broken_since: null,
      },
    );
    if (gone === 0) throw domainNotFound();
    await recordActivity(ctx.deps, actorOf(ctx), "domain_deleted", domain, { id });
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
