import { createHash } from "node:crypto";
import { newToken } from "../../kernel/secrets.ts";
import type { AccountDeps } from "../call.ts";

type ChallengeDeps = Pick<AccountDeps, "pool" | "clock" | "randomBytes">;

/** What a challenge is for: a sign-in, one to this account, or a new passkey of this account */
export type Purpose = "sign-in" | `again ${string}` | `add ${string}`;

export const challengeMs = 5 * 60_000;

const hashOf = (purpose: Purpose, challenge: string) =>
  createHash("sha256").update(`${purpose} ${challenge}`).digest();

/** Returns a new challenge. It is in the database, so that any node can redeem it; expired ones are deleted. */
export async function issueChallenge(
  { pool, clock, randomBytes }: ChallengeDeps,
  purpose: Purpose,
): Promise<string> {
  const challenge = newToken(randomBytes);
  const now = clock();
  await pool.query({
    name: "add-passkey-challenge",
    text: `with expired as (delete from passkey_challenges where expires_at <= $2)
           insert into passkey_challenges (hash, expires_at) values ($1, $3)`,
    values: [hashOf(purpose, challenge), now, new Date(now.getTime() + challengeMs)],
  });
  return challenge;
}

/** True if the challenge was issued for this; of concurrent calls, for one. */
export async function redeemChallenge(
  { pool, clock }: ChallengeDeps,
  purpose: Purpose,
  challenge: string,
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "redeem-passkey-challenge",
    text: "delete from passkey_challenges where hash = $1 and expires_at > $2",
    values: [hashOf(purpose, challenge), clock()],
  });
  return rowCount === 1;
}
