import * as z from "zod";
import { idInput, deletedSchema } from "../../kernel/validation/ids.ts";
import { noFields } from "../../kernel/validation/inputs.ts";
import { router } from "../../rpc/procedure.ts";
import { actorOf, recordActivity } from "../activity/record.ts";
import { personalProcedure, recentlySignedIn } from "../call.ts";
import { identities } from "./identity.row.ts";
import { identitySchema } from "./identity.schema.ts";
import { removeWay } from "./remove-way.ts";

const listIdentities = personalProcedure
  .meta({
    scope: "account",
    route: "GET /v1/me/identities",
    tag: "Account",
    summary: "List identities",
    description:
      "An identity is a user's account at a sign-in provider. Signing in with another provider adds one.",
    successDescription: "The identities that sign in to the account, newest first",
  })
  .input(noFields)
  .output(z.array(identitySchema))
  .query(({ ctx }) => identities.list(ctx));

const unlinkOwnIdentity = recentlySignedIn("remove a way to sign in")
  .meta({
    scope: "account",
    route: "DELETE /v1/me/identities/{id}",
    tag: "Account",
    summary: "Unlink an identity",
    description: "The account's other sessions end, since one of them may have started with this identity.",
    successDescription: "The identity can no longer sign in to the account",
    errors: [404, 409],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { provider } = await removeWay(ctx, (em) => identities.delete({ em }, id));
    await recordActivity(ctx.deps, actorOf(ctx), "identity_unlinked", provider);
    return { id, deleted: true as const };
  });

export const identitiesRouter = router({
  list: listIdentities,
  unlink: unlinkOwnIdentity,
});
