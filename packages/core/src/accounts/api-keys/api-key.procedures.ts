import * as z from "zod";
import { requireRecentSignIn } from "../../kernel/access.ts";
import { makerOf } from "../../kernel/context.ts";
import { idInput, deletedSchema } from "../../kernel/validation/ids.ts";
import { noFields } from "../../kernel/validation/inputs.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { limitCreations, router } from "../../rpc/procedure.ts";
import { actorOf } from "../activity/record.ts";
import { type AccountCall, accountProcedure, requires } from "../call.ts";
import { apiKeys, recordKey } from "./api-key.row.ts";
import { apiKeySchema, keyInput, newApiKeySchema } from "./api-key.schema.ts";
import { assertNotStronger, connectionOf, defaultName, grantOf, insertKey } from "./new-key.ts";
import { rotateKey } from "./rotate.ts";

/** Lists the account's keys, newest first; only their prefixes are shown. */
const listKeys = requires("api_keys")
  .meta({
    scope: "keys",
    route: "GET /v1/keys",
    tag: "API keys",
    summary: "List API keys",
    successDescription: "The account's keys, newest first, each with its prefix only",
  })
  .input(noFields)
  .output(z.array(apiKeySchema))
  .query(({ ctx }) => apiKeys.list(ctx));

/** The same on every plan, so that a leaked key can be found. */
const listOwnKeys = accountProcedure
  .meta({
    scope: "keys",
    route: "GET /v1/me/keys",
    tag: "Account",
    summary: "List the account's API keys",
    description: "Works on every plan.",
    successDescription: "The account's keys, newest first, each with its prefix only",
  })
  .input(noFields)
  .output(z.array(apiKeySchema))
  .query(({ ctx }) => apiKeys.list(ctx));

/**
 * Creates an API key. Only this answer contains the full key. Counts as one creation. A key cannot create one that can do
 * more than itself, and a session only within ten minutes of its sign-in.
 */
const createKey = requires("api_keys")
  .meta({
    scope: "keys",
    hasSecret: true,
    route: "POST /v1/keys",
    tag: "API keys",
    summary: "Create an API key",
    description:
      "A session must be from a sign-in within the last ten minutes. An API key can only create keys with at most its own scopes and expiry, which are also the defaults.",
    example: { name: "build server" },
    successDescription: "The key, shown only once",
    successStatus: 201,
    errors: [429],
  })
  .use(limitCreations)
  .input(keyInput.optional())
  .output(newApiKeySchema)
  .mutation(async ({ ctx, input = {} }) => {
    const { deps, actor, account } = ctx;
    requireRecentSignIn(actor, deps.clock(), "create an API key");
    const own = grantOf(actor);
    const { name = defaultName, scopes = own.scopes, expires_at = own.expires_at } = input;
    assertNotStronger(actor, { scopes, expires_at });
    ctx.charge();
    const { source } = actorOf(ctx);
    const made = {
      name,
      scopes,
      expires_at,
      made_over_api: true,
      connection_id: connectionOf(actor),
      source,
      created_by: makerOf(actor),
    };
    const key = await inIdempotentTransaction(ctx, (database, em) =>
      insertKey(database, em, deps, account.id, made),
    );
    await recordKey(deps, actorOf(ctx), "key_created", key);
    return key;
  });

/** Revokes a key; the next request with it is refused. */
const deleteKey = requires("api_keys")
  .meta({
    scope: "keys",
    route: "DELETE /v1/keys/{id}",
    tag: "API keys",
    summary: "Revoke an API key",
    successDescription: "The key was revoked",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(({ ctx, input: { id } }) => revoke(ctx, id));

/** The same on every plan, so that a leaked key can be revoked. */
const deleteOwnKey = accountProcedure
  .meta({
    scope: "keys",
    route: "DELETE /v1/me/keys/{id}",
    tag: "Account",
    summary: "Revoke one of the account's API keys",
    description: "Works on every plan.",
    successDescription: "The key was revoked",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(({ ctx, input: { id } }) => revoke(ctx, id));

async function revoke(ctx: AccountCall, id: string) {
  const revoked = await apiKeys.delete(ctx, id);
  await recordKey(ctx.deps, actorOf(ctx), "key_revoked", revoked);
  return { id, deleted: true as const };
}

export const keysRouter = router({
  create: createKey,
  list: listKeys,
  rotate: rotateKey,
  delete: deleteKey,
  listOwn: listOwnKeys,
  deleteOwn: deleteOwnKey,
});
