import type { Database } from "../../db/statements.ts";
import { refusal } from "../../kernel/errors.ts";

/**
 * Notes that someone signs in. Throws 403 if they came by a company's directory, and it has deactivated or deleted them. For
 * every way to sign in, in the transaction that begins the session.
 */
export async function requireActive(database: Database, userId: string): Promise<void> {
  const { rows } = await database.query<{ refused: boolean }>(
    "update scim_users set signed_in = true where user_id = $1 returning made_person and not active as refused",
    [userId],
  );
  if (!rows.some(({ refused }) => refused)) return;
  const message = "Your company has deactivated this account; ask the people who run its directory";
  throw refusal("FORBIDDEN", "", "forbidden", message, { reason: "deactivated" });
}

/** Whether a workspace's directory has deactivated or deleted a person, who then joins only by an invitation. */
export async function isDeactivated(
  database: Database,
  workspaceId: string,
  userId: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    "select from scim_users where account_id = $1 and user_id = $2 and not active",
    [workspaceId, userId],
  );
  return rowCount === 1;
}

/**
 * Ends all sessions and sign-in links of a person, and, if they came by the directory, their keys and connections in every
 * workspace. Those of this workspace end with the membership.
 */
export async function endAccess(database: Database, userId: string, cameByDirectory: boolean): Promise<void> {
  for (const table of ["sessions", "login_links"])
    await database.query(`delete from ${table} where account_id = $1`, [userId]);
  if (!cameByDirectory) return;
  for (const table of ["api_keys", "oauth_connections"])
    await database.query(`delete from ${table} where account_id = $1 or created_by = $1`, [userId]);
}
