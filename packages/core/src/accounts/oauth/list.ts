import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { isoTime } from "../../kernel/time.ts";
import { noFields } from "../../kernel/validation/inputs.ts";
import { type ConnectionRow, connectionSchema } from "./connection.schema.ts";

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8 as ${column}`;

/** Lists the account's connections, newest first; those that have expired are left out. */
export const listConnections = accountProcedure
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
    const { rows } = await deps.pool.query<ConnectionRow>(
      `select id, client_name, client_host, resource, scopes,
         ${ms("created_at")}, ${ms("last_used_at")}, ${ms("expires_at")}
       from oauth_connections where account_id = $1 and expires_at > $2
       order by oauth_connections.created_at desc, id desc`,
      [account.id, deps.clock()],
    );
    return rows.map((row) => ({
      ...row,
      created_at: isoTime(row.created_at),
      last_used_at: isoTime(row.last_used_at),
      expires_at: isoTime(row.expires_at),
    }));
  });
