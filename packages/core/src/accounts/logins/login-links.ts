import { defineEntity, p } from "@mikro-orm/core";
import { type PersonalAccount, type Source, toPersonalAccount } from "../../kernel/context.ts";
import { hashToken, isPlausibleToken, newToken } from "../../kernel/secrets.ts";
import { type ActivityDeps, recordActivity, visitorActor } from "../activity/record.ts";
import type { AccountDeps } from "../call.ts";
import { accountOf, accountSuspended } from "../workspaces/workspace.row.ts";
import type { LoginLink } from "./identity.schema.ts";

/** A one-time sign-in link. Its token is never stored, only its SHA-256; using it deletes the row. */
export const LoginLinkEntity = defineEntity({
  name: "LoginLink",
  tableName: "login_links",
  properties: {
    id: p.uuid().primary(),
    account_id: () => accountOf("login_links"),
    hash: p.blob().unique("login_links_hash_unique"),
    created_at: p.datetime(3),
    expires_at: p.datetime(3),
  },
});

/** Implements `Logins.issueLink`. */
export async function issueLoginLink(
  deps: Pick<AccountDeps, "orm" | "clock" | "newId" | "randomBytes">,
  accountId: string,
  minutes = 15,
): Promise<LoginLink> {
  const token = newToken(deps.randomBytes);
  const now = deps.clock();
  const expires_at = new Date(now.getTime() + minutes * 60_000);
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

/** Implements `Logins.redeemLink`; of concurrent calls, one gets the account. */
export async function redeemLoginLink(
  deps: ActivityDeps & Pick<AccountDeps, "refusals">,
  token: string,
  source?: Source,
): Promise<PersonalAccount | null> {
  const { pool, clock, refusals } = deps;
  const refuse = () => {
    refusals.report("sign-in link", "it was used, has expired, or never existed", source);
    return null;
  };
  if (!isPlausibleToken(token)) return refuse();
  const { rows } = await pool.query<PersonalAccount & { suspended: boolean }>(
    `with used as (delete from login_links where hash = $1 and expires_at > $2 returning account_id)
     select u.id, u.email, u.name, u.plan, u.suspended_at is not null as suspended
     from used join workspaces u on u.id = used.account_id`,
    [hashToken(token), clock()],
  );
  const [account] = rows;
  if (!account) return refuse();
  if (account.suspended) {
    const visitor = visitorActor(account.id, source);
    await recordActivity(deps, visitor, "sign_in_refused", "the account is suspended");
    throw accountSuspended();
  }
  return toPersonalAccount(account);
}
