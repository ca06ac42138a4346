import { accountProcedure, requires, type AccountCall } from "../call.ts";
import { deedOf } from "../activity/record.ts";
import { notFound } from "../../kernel/errors.ts";
import { byId, deletedSchema } from "../../kernel/validation/ids.ts";
import { recordKey } from "./record.ts";
import { deleteKeyRow } from "./revoke.ts";

/** Revokes a key; the next request with it is refused. */
export const deleteKey = requires("api_keys")
  .meta({
    scope: "keys",
    openapi: {
      method: "DELETE",
      path: "/v1/keys/{id}",
      tags: ["API keys"],
      summary: "Revoke an API key",
      successDescription: "The key was revoked",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(({ ctx, input: { id } }) => revoke(ctx, id));

/** The same on every plan, so that a key that leaked can be stopped. */
export const deleteOwnKey = accountProcedure
  .meta({
    scope: "keys",
    openapi: {
      method: "DELETE",
      path: "/v1/me/keys/{id}",
      tags: ["Account"],
      summary: "Revoke one of the account's API keys",
      description: "Works on every plan.",
      successDescription: "The key was revoked",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(({ ctx, input: { id } }) => revoke(ctx, id));

async function revoke(ctx: AccountCall, id: string) {
  const { deps, account } = ctx;
  const revoked = await deleteKeyRow(deps, id, account.id);
  if (!revoked) throw notFound("API key");
  await recordKey(deps, deedOf(ctx), "key_revoked", revoked);
  return { id, deleted: true as const };
}
