import type { RedirectDeps } from "./redirect-deps.ts";
import { hashPassword, needsRehash, sharesOfVisit } from "../kernel/password-hash.ts";
import type { Decision, Visitor } from "./redirects.types.ts";
import type { Route } from "./route.ts";
import { issueUnlockToken } from "./unlock-token.ts";

/**
 * Stores the hash of a right password again if an earlier version made it, which had weaker ones. Returns the decision, with
 * an unlock token under the new hash, or null if nothing was stored: the password is another one by now, or the database
 * cannot be reached. The next right password tries again.
 */
export async function renewHash(
  { pool, passwordCost }: Pick<RedirectDeps, "pool" | "passwordCost">,
  { route, decision, visitor, now }: { route: Route; decision: Decision; visitor: Visitor; now: number },
): Promise<Decision | null> {
  const old = route.rules?.password_hash ?? null;
  const { password, client } = visitor;
  if (decision.kind !== "redirect" || decision.unlock_token === undefined) return null;
  if (password === undefined || old === null || !needsRehash(old, passwordCost)) return null;
  try {
    const hash = await hashPassword(password, sharesOfVisit(route.link_id, client), passwordCost);
    const { rowCount } = await pool.query({
      text: "update links set password_hash = $3 where id = $1 and password_hash = $2",
      values: [route.link_id, old, hash],
    });
    if (rowCount !== 1) return null;
    const value = issueUnlockToken(hash, route.link_id, now);
    return { ...decision, unlock_token: { ...decision.unlock_token, value } };
  } catch {
    return null;
  }
}
