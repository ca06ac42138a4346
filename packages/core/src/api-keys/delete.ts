import * as z from "zod";
import { deedOf } from "../activity/index.ts";
import { notFound } from "../kernel/errors.ts";
import { requires } from "../rpc/procedure.ts";
import { recordKey } from "./record.ts";
import { deleteKeyRow } from "./revoke.ts";

/** Revokes a key; the next request with it is refused. */
export const deleteKey = requires("api_keys")
  .meta({
    openapi: {
      method: "DELETE",
      path: "/v1/keys/{id}",
      tags: ["API keys"],
      summary: "Revoke an API key",
      successDescription: "The key was revoked",
      errors: [404],
    },
  })
  .input(z.object({ id: z.string() }))
  .output(z.object({ id: z.string(), deleted: z.literal(true) }))
  .mutation(async ({ ctx, input: { id } }) => {
    const revoked = await deleteKeyRow(ctx.deps, id, ctx.account.id);
    if (!revoked) throw notFound("API key");
    await recordKey(ctx.deps, deedOf(ctx), "key_revoked", revoked);
    return { id, deleted: true as const };
  });
