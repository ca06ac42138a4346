import * as z from "zod";
import { requires } from "../rpc/procedure.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { apiKeySchema, toApiKey } from "./api-key.schema.ts";

/** The account's keys by their prefixes, newest first. */
export const listKeys = requires("api_keys")
  .meta({
    openapi: {
      method: "GET",
      path: "/v1/keys",
      tags: ["API keys"],
      summary: "List API keys",
      successDescription: "The account's keys, newest first; of each only its prefix",
    },
  })
  .output(z.array(apiKeySchema))
  .query(async ({ ctx }) => {
    const keys = await ctx.em.find(
      ApiKeyEntity,
      { account_id: ctx.account.id },
      { orderBy: { created_at: "desc", id: "desc" } },
    );
    return keys.map(toApiKey);
  });
