import { requires } from "../call.ts";
import { deedOf } from "../activity/record.ts";
import { databaseOf } from "../../db/statements.ts";
import { claim, keep } from "../../rpc/idempotency/once.ts";
import { requireRecentSignIn } from "../../kernel/access.ts";
import { creation } from "../../rpc/procedure.ts";
import { keyInput, newApiKeySchema } from "./api-key.schema.ts";
import { connectionOf, grantOf, refuseStronger } from "./grant.ts";
import { insertKey } from "./insert.ts";
import { defaultName } from "./issue.ts";
import { recordKey } from "./record.ts";

/**
 * Creates an API key. Only this answer contains the full key. Counts as one creation. A key cannot create one that can do
 * more than itself, and a session only within ten minutes of its sign-in.
 */
export const createKey = requires("api_keys")
  .meta({
    scope: "keys",
    hasSecret: true,
    openapi: {
      method: "POST",
      path: "/v1/keys",
      tags: ["API keys"],
      summary: "Create an API key",
      description:
        "With the session cookie, the sign-in must be at most ten minutes old. With an API key, the new key can do no more and lives no longer than that one, which is also the default.",
      example: { name: "build server" },
      successDescription: "The key, shown only once",
      successStatus: 201,
      errors: [429],
    },
  })
  .use(creation)
  .input(keyInput.optional())
  .output(newApiKeySchema)
  .mutation(async ({ ctx, input = {} }) => {
    const { deps, actor, em, account } = ctx;
    requireRecentSignIn(actor, deps.clock(), "create an API key");
    const own = grantOf(actor);
    const { name = defaultName, scopes = own.scopes, expires_at = own.expires_at } = input;
    refuseStronger(actor, { scopes, expires_at });
    ctx.charge();
    const made = { name, scopes, expires_at, made_over_api: true, connection_id: connectionOf(actor) };
    const key = await em.transactional(async (tx) => {
      await claim(ctx, databaseOf(tx));
      const inserted = await insertKey(tx, deps, account.id, made);
      await keep(ctx, databaseOf(tx), inserted);
      return inserted;
    });
    await recordKey(deps, deedOf(ctx), "key_created", key);
    return key;
  });
