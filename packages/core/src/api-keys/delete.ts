import * as z from "zod";
import { notFound } from "../kernel/errors.ts";
import { accountProcedure, type Call, requires } from "../rpc/procedure.ts";
import type { Account } from "../kernel/context.ts";
import { revokeKey } from "./issue.ts";

const input = z.object({ id: z.string() });
const output = z.object({ id: z.string(), deleted: z.literal(true) });

/** Revokes a key; the next request with it is refused. */
export const deleteKey = requires("api_keys")
  .meta({
    scope: "keys",
    openapi: {
      method: "DELETE",
      path: "/v1/keys/{id}",
      tags: ["API keys"],
      summary: "Revoke an API key",
      successDescription: "The key was revoked",
      errors: [404],
    },
  })
  .input(input)
  .output(output)
  .mutation(({ ctx, input: { id } }) => revoke(ctx, id));

/** The same on every plan, so that a key that leaked can be stopped. */
export const deleteOwnKey = accountProcedure
  .meta({
    scope: "keys",
    openapi: {
      method: "DELETE",
      path: "/v1/me/keys/{id}",
      tags: ["Account"],
      summary: "Revoke one of the account's API keys",
      description: "Works on every plan.",
      successDescription: "The key was revoked",
      errors: [404],
    },
  })
  .input(input)
  .output(output)
  .mutation(({ ctx, input: { id } }) => revoke(ctx, id));

async function revoke({ deps, account }: Call & { account: Account }, id: string) {
  if (!(await revokeKey(deps, id, account.id))) throw notFound("API key");
  return { id, deleted: true as const };
}
