import { accountProcedure } from "../call.ts";
import { deedOf } from "../activity/record.ts";
import { notFound } from "../../kernel/errors.ts";
import { byId, deletedSchema } from "../../kernel/validation/ids.ts";
import { endConnections, recordConnection } from "./end.ts";

/** Ends a connection with all its tokens; the next request with one is refused. */
export const deleteConnection = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "DELETE",
      path: "/v1/me/connections/{id}",
      tags: ["Account"],
      summary: "End a connection",
      description:
        "The program loses access at once, and has to sign its user in again. Works on every plan.",
      successDescription: "The connection was ended",
      errors: [404],
    },
  })
  .input(byId)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const [ended] = await endConnections(ctx.deps, { id, accountId: ctx.account.id });
    if (!ended) throw notFound("Connection");
    await recordConnection(ctx.deps, deedOf(ctx), "connection_ended", ended);
    return { id, deleted: true as const };
  });
