import type { Account, Source } from "../kernel/context.ts";
import type { Deps } from "../deps.ts";
import { hashToken, isPlausibleToken, newToken } from "../crypto/tokens.ts";
import type { LoginLink } from "./logins.types.ts";
import { LoginLinkEntity } from "./login-link.entity.ts";

/** How long a sign-in link is valid, in milliseconds. */
const lifetime = 15 * 60 * 1000;

/** Creates a one-time sign-in link for an account. Only this answer contains its token. */
export async function issueLoginLink(deps: Deps, accountId: string): Promise<LoginLink> {
  const token = newToken(deps.randomBytes);
  const now = deps.clock();
  const expires_at = new Date(now.getTime() + lifetime);
  const em = deps.orm.em.fork();
  await em.nativeDelete(LoginLinkEntity, { expires_at: { $lte: now } });
  await em.insert(LoginLinkEntity, {
    id: deps.newId(),
    account_id: accountId,
    hash: hashToken(token),
    created_at: now,
    expires_at,
  });
  return { token, expires_at: expires_at.toISOString() };
}

/** Redeems a link; of concurrent calls, one gets the account. Null if it was used, has expired or never existed. */
export async function redeemLoginLink(
  { pool, clock, refusals }: Deps,
  token: string,
  source?: Source,
): Promise<Account | null> {
  const refuse = () => {
    refusals.report("sign-in link", "it was used, has expired, or never existed", source);
    return null;
  };
  if (!isPlausibleToken(token)) return refuse();
  const { rows } = await pool.query<Account>(
    `with used as (delete from login_links where hash = $1 and expires_at > $2 returning account_id)
     select u.id, u.email, u.name, u.plan from used join users u on u.id = used.account_id`,
    [hashToken(token), clock()],
  );
  return rows[0] ?? refuse();
}
