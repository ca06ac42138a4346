import { accountProcedure, requires, type AccountDeps } from "../call.ts";
import * as z from "zod";
import { noFields } from "../../kernel/validation/inputs.ts";
import { ApiKeyEntity } from "./api-key.entity.ts";
import { type ApiKey, apiKeySchema, toApiKey } from "./api-key.schema.ts";

/** Lists the account's keys, newest first; only their prefixes are shown. */
export const listKeys = requires("api_keys")
  .meta({
    scope: "keys",
    openapi: {
      method: "GET",
      path: "/v1/keys",
      tags: ["API keys"],
      summary: "List API keys",
      successDescription: "The account's keys, newest first, each with its prefix only",
    },
  })
  .input(noFields)
  .output(z.array(apiKeySchema))
  .query(({ ctx }) => keysOf(ctx.deps, ctx.account.id));

/** The same on every plan, so that a key that leaked can be found. */
export const listOwnKeys = accountProcedure
  .meta({
    scope: "keys",
    openapi: {
      method: "GET",
      path: "/v1/me/keys",
      tags: ["Account"],
      summary: "List the account's API keys",
      description: "Works on every plan.",
      successDescription: "The account's keys, newest first, each with its prefix only",
    },
  })
  .input(noFields)
  .output(z.array(apiKeySchema))
  .query(({ ctx }) => keysOf(ctx.deps, ctx.account.id));

/** The keys of an account, newest first. */
export async function keysOf({ orm }: Pick<AccountDeps, "orm">, accountId: string): Promise<ApiKey[]> {
  const keys = await orm.em
    .fork()
    .find(ApiKeyEntity, { account_id: accountId }, { orderBy: { created_at: "desc", id: "desc" } });
  return keys.map(toApiKey);
}
