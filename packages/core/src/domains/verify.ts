import { accountProcedure } from "./call.ts";
import { actorOf } from "../accounts/activity/record.ts";
import { byId } from "../kernel/validation/ids.ts";
import { nameTaken } from "./create.ts";
import { verificationSchema } from "./domain.schema.ts";
import { toDomain } from "./domain.view.ts";
import { domainNotFound, findDomain } from "./find.ts";
import { checkRecords } from "./records.ts";
import { applyVerdict } from "./apply-verdict.ts";

/** Checks a domain's records now and returns its status. Answers within five seconds, even if resolvers do not. */
export const verifyDomain = accountProcedure
  .meta({
    scope: "domains",
    openapi: {
      method: "GET",
      path: "/v1/domains/{id}/verify",
      tags: ["Domains"],
      summary: "Verify a custom domain",
      description:
        "Looks up both records, at most sixty times a minute. The domain is verified if both are right; 409 if another account verified the name first. A HEAD request or a prefetch (`Sec-Purpose`) only looks.",
      successDescription: "The status of the domain, and the result of the check",
      errors: [404, 409, 429],
    },
  })
  .input(byId)
  .output(verificationSchema)
  .query(async ({ ctx, input }) => {
    const { deps } = ctx;
    const row = await findDomain(ctx, ctx.account.id, input.id);
    await deps.limits.take("domain-verification", ctx.account.id, ctx.reply);
    const { verdict, checks } = await checkRecords(deps, row);
    if (ctx.isPrefetch) return { ...(await toDomain(deps, row)), checks };
    const after = await applyVerdict(deps, row, verdict, actorOf(ctx));
    if (!after) throw domainNotFound();
    if (verdict === "good" && after.status === "failed") throw nameTaken(row.domain);
    return { ...(await toDomain(deps, after)), checks };
  });
