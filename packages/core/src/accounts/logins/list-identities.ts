import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { noFields } from "../../kernel/validation/inputs.ts";
import { IdentityEntity } from "./identity.entity.ts";
import { identitySchema } from "./identity.schema.ts";

/** Lists the ways to sign in to the account, newest first. */
export const listIdentities = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "GET",
      path: "/v1/me/identities",
      tags: ["Account"],
      summary: "List identities",
      description:
        "An identity is a person at a sign-in provider. Signing in with another provider adds one.",
      successDescription: "The identities that sign in to the account, newest first",
    },
  })
  .input(noFields)
  .output(z.array(identitySchema))
  .query(async ({ ctx }) => {
    const identities = await ctx.em.find(
      IdentityEntity,
      { account_id: ctx.account.id },
      { orderBy: { created_at: "desc", id: "desc" } },
    );
    return identities.map(({ id, provider, issuer, created_at }) => ({
      id,
      provider,
      issuer,
      created_at: created_at.toISOString(),
    }));
  });
