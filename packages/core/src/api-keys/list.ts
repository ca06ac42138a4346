import * as z from "zod";
import { requires } from "../rpc/procedure.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { apiKeySchema, toApiKey } from "./api-key.schema.ts";

/** Lists the account's keys, newest first; only their prefixes are shown. */
export const listKeys = requires("api_keys")
  .meta({
    openapi: {
      method: "GET",
      path: "/v1/keys",
      tags: ["API keys"],
      summary: "List API keys",
      successDescription: "The account's keys, newest first, each with its prefix only",
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
