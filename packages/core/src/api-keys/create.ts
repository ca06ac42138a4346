import { requires } from "../procedure.ts";
import { keyInput, newApiKeySchema } from "./api-key.schema.ts";
import { issueKey } from "./issue.ts";

/** Creates an API key. The full key is in this answer and nowhere else. */
export const createKey = requires("api_keys")
  .meta({
    openapi: {
      method: "POST",
      path: "/v1/keys",
      tags: ["API keys"],
      summary: "Create an API key",
      successDescription: "The key, shown this once",
      successStatus: 201,
    },
  })
  .input(keyInput.optional())
  .output(newApiKeySchema)
  .mutation(({ ctx, input }) => issueKey(ctx.deps, ctx.account.id, input?.name));
