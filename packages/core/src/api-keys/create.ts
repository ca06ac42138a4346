import * as z from "zod";
import { requires } from "../procedure.ts";
import { line } from "../text.ts";
import { newApiKeySchema } from "./api-key.schema.ts";
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
  .input(z.object({ name: line(100).min(1, "must not be empty").optional() }).optional())
  .output(newApiKeySchema)
  .mutation(({ ctx, input }) => issueKey(ctx.deps, ctx.account.id, input?.name));
