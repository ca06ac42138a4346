import * as z from "zod";
import { idInput, deletedSchema } from "../../kernel/validation/ids.ts";
import { noFields } from "../../kernel/validation/inputs.ts";
import { router } from "../../rpc/procedure.ts";
import { actorOf } from "../activity/record.ts";
import { personalProcedure } from "../call.ts";
import { recordConnection, connections } from "./connection.row.ts";
import { connectionSchema } from "./connection.schema.ts";

/** Lists the account's connections, newest first; those that have expired are left out. */
const listConnections = personalProcedure
  .meta({
    scope: "account",
    route: "GET /v1/me/connections",
    tag: "Account",
    summary: "List connections",
    description: "Programs that the user has allowed to act for the account. Works on every plan.",
    successDescription: "The account's connections, newest first",
  })
  .input(noFields)
  .output(z.array(connectionSchema))
  .query(({ ctx }) => connections.list(ctx, { expires_at: { $gt: ctx.deps.clock() } }));

/** Ends a connection with all its tokens; the next request with one is refused. */
const deleteConnection = personalProcedure
  .meta({
    scope: "account",
    route: "DELETE /v1/me/connections/{id}",
    tag: "Account",
    summary: "End a connection",
    description: "The program loses access at once and must ask the user again. Works on every plan.",
    successDescription: "The connection was ended",
    errors: [404],
  })
  .input(idInput)
  .output(deletedSchema)
  .mutation(async ({ ctx, input: { id } }) => {
    const ended = await connections.delete(ctx, id);
    await recordConnection(ctx.deps, actorOf(ctx), "connection_ended", ended);
    return { id, deleted: true as const };
  });

export const connectionsRouter = router({
  list: listConnections,
  delete: deleteConnection,
});
