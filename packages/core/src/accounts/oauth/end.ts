import type { Base } from "../../db/base.ts";
import type { AccountDeps } from "../call.ts";
import { type Deed, recordActivity } from "../activity/record.ts";
import { isId } from "../../kernel/validation/ids.ts";

/** What the activity says of a connection. */
interface Named {
  client_name: string;
  client_host: string | null;
}

/** Ends the connection with an id, or all of an account; returns those that there were. */
export async function endConnections(
  { pool }: Pick<Base, "pool">,
  { id, accountId }: { id: string; accountId?: string } | { id?: undefined; accountId: string },
): Promise<(Named & { account_id: string })[]> {
  if (id !== undefined && !isId(id)) return [];
  const { rows } = await pool.query<Named & { account_id: string }>(
    `delete from oauth_connections where id = coalesce($1, id) and account_id = coalesce($2, account_id)
     returning account_id, client_name, client_host`,
    [id ?? null, accountId ?? null],
  );
  return rows;
}

/** Records what happened to a connection, by the name of its program and where that is. */
export const recordConnection = (
  deps: AccountDeps,
  deed: Deed,
  action: "connection_made" | "connection_ended" | "connection_misused",
  { client_name, client_host }: Named,
): Promise<void> =>
  recordActivity(deps, deed, action, `${client_name} (${client_host ?? "on a user's machine"})`);
