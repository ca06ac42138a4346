import { createHmac, timingSafeEqual } from "node:crypto";

/** How long an unlock token is valid, in seconds. */
export const unlockSeconds = 15 * 60;

/**
 * A proof that a link's password was right: its end in seconds since the epoch, and an HMAC-SHA-256 of that and the link
 * under the stored password hash. The hash has a random salt, so nobody can guess it; a new password has a new salt,
 * which invalidates all tokens of the old one. There is no other secret to keep.
 */
export const issueUnlockToken = (passwordHash: string, linkId: string, now: number): string =>
  tokenUntil(passwordHash, linkId, Math.floor(now / 1000) + unlockSeconds);

/** True for an unexpired token for this link and its current password; `now` in milliseconds. */
export function isUnlockToken(token: string, passwordHash: string, linkId: string, now: number): boolean {
  const until = Number(/^(\d{1,12})\./.exec(token)?.[1] ?? 0);
  if (until * 1000 <= now) return false;
  const [given, right] = [Buffer.from(token), Buffer.from(tokenUntil(passwordHash, linkId, until))];
  return given.length === right.length && timingSafeEqual(given, right);
}

function tokenUntil(passwordHash: string, linkId: string, until: number): string {
  const signature = createHmac("sha256", passwordHash).update(`pass ${linkId} ${until}`).digest("base64url");
  return `${until}.${signature}`;
}
