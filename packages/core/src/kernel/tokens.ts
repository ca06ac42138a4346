import { createHash } from "node:crypto";

/** API keys, session tokens and sign-in tokens: 256 random bits each; only a hash is stored. */
export const newToken = (randomBytes: (size: number) => Uint8Array): string =>
  Buffer.from(randomBytes(32)).toString("base64url");

/** A fast hash is enough: random tokens, unlike passwords, cannot be guessed. */
export const hashToken = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** False for text that is longer than any key with its prefix. */
export const isPlausibleToken = (text: string): boolean => text.length <= 200;

/** Precision of the last-use times: one write per minute and credential instead of one per request. */
export const lastUseLag = "1 minute";
