import { accountProcedure } from "../../rpc/procedure.ts";
import { userSchema } from "./profile.schema.ts";

/** Returns the profile of the calling account. */
export const me = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "GET",
      path: "/v1/me",
      tags: ["Account"],
      summary: "Get the current user",
      successDescription: "The profile of the current user",
    },
  })
  .output(userSchema)
  .query(({ ctx: { account, actor } }) => ({
    ...account,
    ...(actor.kind === "account" && actor.is_operator && { operator: true as const }),
  }));
