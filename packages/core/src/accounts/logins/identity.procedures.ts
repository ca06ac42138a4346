import * as z from "zod";
import { inTransaction } from "../../db/connection.ts";
import { refusal } from "../../kernel/errors.ts";
import { idInput, deletedSchema } from "../../kernel/validation/ids.ts";
import { noFields } from "../../kernel/validation/inputs.ts";
import { router } from "../../rpc/procedure.ts";
import { actorOf, recordActivity } from "../activity/record.ts";
import { personalProcedure, recentlySignedIn } from "../call.ts";
import { lockAccount } from "../../rpc/own-rows.ts";
import { identities, IdentityEntity } from "./identity.row.ts";
import { identitySchema } from "./identity.schema.ts";

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

/**
 * Removes a way to sign in, but never the last one. Sessions do not remember which identity began them, so all others end
 * with it.
 */
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
    const { account, actor, deps } = ctx;
    const provider = await inTransaction(ctx, async (database, em) => {
      // Concurrent calls queue here, so that two of them cannot remove the last two.
      await lockAccount(database, account.id);
      const unlinked = await identities.delete({ em }, id);
      if ((await em.count(IdentityEntity)) === 0) throw lastOne();
      await database.query("delete from sessions where account_id = $1 and id is distinct from $2", [
        account.id,
        (actor.kind === "account" && actor.session_id) || null,
      ]);
      return unlinked.provider;
    });
    await recordActivity(deps, actorOf(ctx), "identity_unlinked", provider);
    return { id, deleted: true as const };
  });

const lastOne = () =>
  refusal(
    "CONFLICT",
    "",
    "last_sign_in",
    "This is the only way to sign in to the account: sign in with another provider first, which adds it",
  );

export const identitiesRouter = router({
  list: listIdentities,
  unlink: unlinkOwnIdentity,
});
