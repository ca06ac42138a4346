import { createHmac, timingSafeEqual } from "node:crypto";

/** For how long a right password holds, in seconds. */
export const unlockSeconds = 15 * 60;

/**
 * A proof that a link's password was right: when it ends, in seconds since the epoch, and an HMAC-SHA-256 of that and the
 * link under the stored password hash. The hash has a random salt, so nobody guesses it, and a new one with every
 * password, which ends all passes of the old one. There is no other secret to keep.
 */
export const issueUnlockToken = (passwordHash: string, linkId: string, now: number): string =>
  passUntil(passwordHash, linkId, Math.floor(now / 1000) + unlockSeconds);

/** True for a pass to this link under its present password that has not ended; `now` in milliseconds. */
export function isUnlockToken(pass: string, passwordHash: string, linkId: string, now: number): boolean {
  const until = Number(/^(\d{1,12})\./.exec(pass)?.[1] ?? 0);
  if (until * 1000 <= now) return false;
  const [given, right] = [Buffer.from(pass), Buffer.from(passUntil(passwordHash, linkId, until))];
  return given.length === right.length && timingSafeEqual(given, right);
}

function passUntil(passwordHash: string, linkId: string, until: number): string {
  const signature = createHmac("sha256", passwordHash).update(`pass ${linkId} ${until}`).digest("base64url");
  return `${until}.${signature}`;
}
