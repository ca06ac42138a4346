import * as z from "zod";
import { notFound } from "../kernel/errors.ts";
import { requires } from "../rpc/procedure.ts";
import { revokeKey } from "./issue.ts";

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
    if (!(await revokeKey(ctx.deps, id, ctx.account.id))) throw notFound("API key");
    return { id, deleted: true as const };
  });
