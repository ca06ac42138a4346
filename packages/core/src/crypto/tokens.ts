import { createHash } from "node:crypto";

/** Keys, session tokens and the tokens of sign-in links: 256 random bits each, of which only a hash is stored. */
export const newToken = (randomBytes: (size: number) => Uint8Array): string =>
  Buffer.from(randomBytes(32)).toString("base64url");

/** A fast hash is enough for them: there is nothing to guess, unlike with passwords. */
export const hashToken = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** False for what is too long to be a secret of ours, key prefix included. */
export const isPlausibleToken = (text: string): boolean => text.length <= 200;

/** How far the times of last use may lag behind: one write a minute and credential instead of one a request. */
export const lastUseLag = "1 minute";
