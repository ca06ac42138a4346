import * as z from "zod";
import { deletedSchema, idInput } from "../../kernel/validation/ids.ts";
import { fieldsOf, noFields } from "../../kernel/validation/inputs.ts";
import { router } from "../../rpc/procedure.ts";
import { actorOf, recordActivity } from "../activity/record.ts";
import { personalProcedure, recentlySignedIn } from "../call.ts";
import { removeWay } from "../logins/remove-way.ts";
import { passkeys } from "./passkey.row.ts";
import { passkeyName, passkeySchema } from "./passkey.schema.ts";

const listPasskeys = personalProcedure
  .meta({
    scope: "account",
    route: "GET /v1/me/passkeys",
    tag: "Account",
    summary: "List passkeys",
    description: "A passkey signs in with a fingerprint, a face or a PIN. The console adds them.",
    successDescription: "The passkeys that sign in to the account, newest first",
  })
  .input(noFields)
  .output(z.array(passkeySchema))
  .query(({ ctx }) => passkeys.list(ctx));

const renamePasskey = personalProcedure
  .meta({
    scope: "account",
    route: "PATCH /v1/me/passkeys/{id}",
    tag: "Account",
    summary: "Rename a passkey",
    example: { name: "Phone" },
    successDescription: "The passkey with its new name",
    errors: [404],
  })
  .input(fieldsOf({ id: z.string(), name: passkeyName }))
  .output(passkeySchema)
  .mutation(async ({ ctx, input: { id, name } }) => {
    const renamed = await passkeys.change(ctx, id, () => ({ name }));
    await recordActivity(ctx.deps, actorOf(ctx), "passkey_renamed", name);
    return renamed;
  });

const removeOwnPasskey = recentlySignedIn("remove a way to sign in")
  .meta({
    scope: "account",
    route: "DELETE /v1/me/passkeys/{id}",
    tag: "Account",
    summary: "Remove a passkey",
    description: "The account's other sessions end, since one of them may have started with this passkey.",
    successDescription: "The passkey can no longer sign in to the account",
    errors: [404, 409],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const { name } = await removeWay(ctx, (em) => passkeys.delete({ em }, id));
    await recordActivity(ctx.deps, actorOf(ctx), "passkey_removed", name);
    return { id, deleted: true as const };
  });

export const passkeysRouter = router({
  list: listPasskeys,
  rename: renamePasskey,
  remove: removeOwnPasskey,
});
