import * as z from "zod";
import { requireRecentSignIn } from "../../kernel/access.ts";
import { makerOf } from "../../kernel/context.ts";
import { refusal } from "../../kernel/errors.ts";
import { hourMs } from "../../kernel/time.ts";
import { fieldsOf, whole } from "../../kernel/validation/inputs.ts";
import { inIdempotentTransaction } from "../../rpc/idempotency/once.ts";
import { actorOf } from "../activity/record.ts";
import { requires } from "../call.ts";
import { lockAccount } from "../../rpc/own-rows.ts";
import { ApiKeyEntity, apiKeys, recordKey } from "./api-key.row.ts";
import { expiryInput, newApiKeySchema } from "./api-key.schema.ts";
import { assertNotStronger, connectionOf, insertKey } from "./new-key.ts";

const maxOverlapHours = 7 * 24;

/**
 * Replaces a key, once: creates one with the same name and scopes, and lets the old one expire after an overlap in which both
 * work. Counts as one creation; the rules for creating a key apply.
 */
export const rotateKey = requires("api_keys")
  .meta({
    scope: "keys",
    hasSecret: true,
    route: "POST /v1/keys/{id}/rotate",
    tag: "API keys",
    summary: "Replace an API key",
    description:
      "Creates a key with the same name, scopes and expiry. The old key keeps working for `overlap_hours`. The rules for creating a key apply.",
    successDescription: "The new key, shown only once",
    successStatus: 201,
    errors: [404, 409, 429],
  })
  .input(
    fieldsOf({
      id: z.string(),
      overlap_hours: whole(0, maxOverlapHours)
        .default(24)
        .describe("How long the old key keeps working; 0 revokes it at once"),
      expires_at: expiryInput
        .describe("When the new key expires; by default when the old one would have")
        .optional(),
    }),
  )
  .output(newApiKeySchema)
  .mutation(async ({ ctx, input: { id, overlap_hours, ...chosen } }) => {
    const { deps, actor, account } = ctx;
    const now = deps.clock();
    requireRecentSignIn(actor, now, "replace an API key");
    await deps.creationLimit.take(ctx);
    let old = { id: "", name: "", prefix: "" };
    const key = await inIdempotentTransaction(ctx, async (database, em) => {
      await lockAccount(database, account.id);
      const found = await apiKeys.find({ em }, id);
      // Its expiry is the end of the overlap now, which a second new key must not inherit.
      if (found.replaced_at)
        throw refusal(
          "CONFLICT",
          "",
          "already_replaced",
          "This API key was replaced already: use the new one",
          {
            resource: "api_key",
          },
        );
      old = found;
      const { name, scopes = null } = found;
      const expires_at = chosen.expires_at ?? found.expires_at ?? null;
      assertNotStronger(actor, { scopes, expires_at });
      const connection_id = connectionOf(actor) ?? found.connection_id ?? null;
      const wanted = {
        name,
        scopes,
        expires_at,
        made_over_api: true,
        connection_id,
        // Whoever gets the secret gets no more than their own role allows.
        created_by: makerOf(actor),
        source: actorOf(ctx).source,
      };
      const end = new Date(now.getTime() + overlap_hours * hourMs);
      const ending = found.expires_at && found.expires_at < end ? found.expires_at : end;
      const made = await insertKey(database, em, deps, account.id, wanted);
      await em.nativeUpdate(ApiKeyEntity, { id }, { expires_at: ending, replaced_at: now });
      return made;
    });
    await recordKey(deps, actorOf(ctx), "key_replaced", old);
    await recordKey(deps, actorOf(ctx), "key_created", key);
    return key;
  });
