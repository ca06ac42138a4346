import * as z from "zod";
import { notFound } from "../../kernel/errors.ts";
import { isoTime } from "../../kernel/time.ts";
import { byId, deletedSchema } from "../../kernel/validation/ids.ts";
import { noFields } from "../../kernel/validation/inputs.ts";
import { router } from "../../rpc/procedure.ts";
import { actorOf } from "../activity/record.ts";
import { accountProcedure } from "../call.ts";
import { endConnections, recordConnection } from "./connection.row.ts";
import { type Connection, connectionSchema } from "./connection.schema.ts";

/** Lists the account's connections, newest first; those that have expired are left out. */
const listConnections = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "GET",
      path: "/v1/me/connections",
      tags: ["Account"],
      summary: "List connections",
      description:
        "Programs that act for the account because their user signed in to them. Works on every plan.",
      successDescription: "The account's connections, newest first",
    },
  })
  .input(noFields)
  .output(z.array(connectionSchema))
  .query(async ({ ctx: { deps, account } }) => {
    const { rows } = await deps.pool.query<Connection>(
      `select id, client_name, client_host, resource, scopes, created_at, last_used_at, expires_at
       from oauth_connections where account_id = $1 and expires_at > $2 order by created_at desc, id desc`,
      [account.id, deps.clock()],
    );
    return rows.map((row) => ({
      ...row,
      created_at: isoTime(row.created_at),
      last_used_at: isoTime(row.last_used_at),
      expires_at: isoTime(row.expires_at),
    }));
  });

/** Ends a connection with all its tokens; the next request with one is refused. */
const deleteConnection = accountProcedure
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
    await recordConnection(ctx.deps, actorOf(ctx), "connection_ended", ended);
    return { id, deleted: true as const };
  });

export const connectionsRouter = router({
  list: listConnections,
  delete: deleteConnection,
});
