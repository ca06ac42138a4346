import * as z from "zod";
import { accountProcedure } from "../rpc/procedure.ts";
import { nameTaken } from "./create.ts";
import { verificationSchema } from "./domain.schema.ts";
import { toDomain } from "./domain.view.ts";
import { domainNotFound, findDomain } from "./find.ts";
import { checkRecords } from "./records.ts";
import { applyVerdict } from "./apply-verdict.ts";

/** Looks a domain's records up, now, and says what that makes of it. Answers within five seconds, resolvers or not. */
export const verifyDomain = accountProcedure
  .meta({
    openapi: {
      method: "GET",
      path: "/v1/domains/{id}/verify",
      tags: ["Domains"],
      summary: "Verify a custom domain",
      description:
        "Looks both records up. The domain is verified when both are right; 409 where another account was first to prove the name.",
      successDescription: "The domain's status, and what was found",
      errors: [404, 409],
    },
  })
  .input(z.object({ id: z.string() }))
  .output(verificationSchema)
  .query(async ({ ctx, input }) => {
    const { deps } = ctx;
    const row = await findDomain(ctx, ctx.account.id, input.id);
    const { verdict, checks } = await checkRecords(deps, row);
    const settled = await applyVerdict(deps, row, verdict);
    if (!settled) throw domainNotFound();
    if (verdict === "good" && settled.status === "failed") throw nameTaken(row.domain);
    return { ...(await toDomain(deps, settled)), checks };
  });
