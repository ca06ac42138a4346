import { requires } from "../rpc/procedure.ts";
import { keyInput, newApiKeySchema } from "./api-key.schema.ts";
import { issueKey } from "./issue.ts";

/** Creates an API key. Only this answer contains the full key. Counts as one creation. */
export const createKey = requires("api_keys")
  .meta({
    openapi: {
      method: "POST",
      path: "/v1/keys",
      tags: ["API keys"],
      summary: "Create an API key",
      example: { name: "build server" },
      successDescription: "The key, shown only once",
      successStatus: 201,
      errors: [429],
    },
  })
  .input(keyInput.optional())
  .output(newApiKeySchema)
  .mutation(async ({ ctx, input }) => {
    await ctx.deps.creationLimit.take(ctx);
    return issueKey(ctx.deps, ctx.account.id, input?.name);
  });
