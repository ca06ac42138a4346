import { issue } from "./issues.ts";
import { createHash, randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { siteOf, clientsPerSite } from "./addresses.ts";
import { FairQueue, type Share } from "./async/fair-queue.ts";
import { AppError } from "./errors.ts";

/** API keys, session tokens and sign-in tokens: 256 random bits each; only a hash is stored. */
export const newToken = (draw: (size: number) => Uint8Array): string =>
  Buffer.from(draw(32)).toString("base64url");

/** A fast hash is enough: random tokens, unlike passwords, cannot be guessed. */
export const hashToken = (secret: string): Buffer => createHash("sha256").update(secret).digest();

/** False for text that is longer than any key with its prefix. */
export const isPlausibleToken = (text: string): boolean => text.length <= 200;

/** Precision of the last-use times: one write per minute and credential instead of one per request. */
export const lastUseLag = "1 minute";

/** RFC 7914: `ln` is the logarithm of the cost N, `r` the block size, `p` the number of rounds. */
export interface PasswordCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** One of OWASP's settings for scrypt, all of which are equally strong; see decision 11. 32 MiB, and about 0.18 s of CPU. */
export const strongCost: PasswordCost = { ln: 15, r: 8, p: 3 };
const keyLength = 32;

/** The most that is computed, whatever a stored hash says. */
const maxMemory = 256 * 2 ** 20;
const maxRounds = 16;

/** A link gets as much as this many clients. */
const clientsPerLink = 10;

/** In the whole process. Half of libuv's threads: the click log and DNS look-ups need the others. Six seconds of work. */
const queue = new FairQueue({
  atOnce: 2,
  maxWaiting: 64,
  refusal: () =>
    new AppError(
      "SERVICE_UNAVAILABLE",
      issue("", "busy", "Too many passwords are being checked; try again shortly", {
        work: "passwords",
        seconds: 1,
      }),
      { retryAfter: 1 },
    ),
});

/**
 * Passwords that a client or a site typed wrong in the last ten minutes, or that are still being checked: from one on, or ten of a
 * site, its further ones wait behind those of visitors who have not failed.
 */
const failures = new RateLimiterMemory({ points: 1, duration: 600 });
const canFail = ({ key }: Share) => /^(?:client|site) /.test(key);

/** The shares in which an account's passwords are hashed. */
export const sharesOfAccount = (id: string | null): Share[] => [{ key: `account ${id}`, weight: 1 }];

/** The shares in which a visitor's password is checked: of the link, and of the client and its site if they are known. */
export function sharesOfVisit(linkId: string, client: string | undefined): Share[] {
  const shares = [{ key: `link ${linkId}`, weight: clientsPerLink }];
  if (client === undefined) return shares;
  shares.push({ key: `client ${client}`, weight: 1 });
  const site = siteOf(client);
  if (site !== null) shares.push({ key: `site ${site}`, weight: clientsPerSite });
  return shares;
}

interface Stored {
  readonly cost: PasswordCost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

const phc = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Null for text that is not a hash of ours, or that would take too much memory or time to check. */
function parse(hash: string): Stored | null {
  const [, ln, r, p, salt, key] = phc.exec(hash) ?? [];
  if (salt === undefined || key === undefined) return null;
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const isPossible =
    cost.ln > 0 && cost.r > 0 && cost.p > 0 && cost.p <= maxRounds && memoryOf(cost) <= maxMemory;
  return isPossible ? { cost, salt: Buffer.from(salt, "base64"), key: Buffer.from(key, "base64") } : null;
}

const memoryOf = ({ ln, r, p }: PasswordCost): number => 128 * r * (2 ** ln + p + 2);

const runScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const derive = (password: string, salt: Buffer, { ln, r, p }: PasswordCost, length: number) =>
  runScrypt(password.normalize("NFC"), salt, length, { N: 2 ** ln, r, p, maxmem: memoryOf({ ln, r, p }) });

const base64 = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

/**
 * `$scrypt$ln=…,r=…,p=…$<salt>$<key>`, in the notation of the PHC string format. 503 if too many passwords are being
 * checked; `shares` are those on whose behalf it is done.
 */
export async function hashPassword(
  password: string,
  shares: readonly Share[],
  cost = strongCost,
): Promise<string> {
  const salt = randomBytes(16);
  const key = await queue.run(shares, () => derive(password, salt, cost, keyLength));
  const { ln, r, p } = cost;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(key)}`;
}

/** Compares in constant time; false for a hash that is not ours. 503 as for hashPassword. */
export async function verifyPassword(
  password: string,
  hash: string,
  shares: readonly Share[],
): Promise<boolean> {
  const stored = parse(hash);
  if (stored === null) return false;
  const { salt, key, cost: usedCost } = stored;
  const guessers = shares.filter(canFail);
  const tries = await Promise.all(guessers.map((guesser) => failures.penalty(guesser.key)));
  const hasFailed = guessers.some(({ weight }, at) => (tries[at]?.consumedPoints ?? 0) > weight);
  let isWrong = false;
  try {
    const typed = await queue.run(shares, () => derive(password, salt, usedCost, key.length), hasFailed);
    isWrong = !timingSafeEqual(key, typed);
    return !isWrong;
  } finally {
    if (!isWrong) await Promise.all(guessers.map((guesser) => failures.reward(guesser.key)));
  }
}

/** True for a hash of ours whose cost is not that of new ones. */
export function needsRehash(hash: string, cost = strongCost): boolean {
  const stored = parse(hash);
  return stored !== null && (["ln", "r", "p"] as const).some((name) => stored.cost[name] !== cost[name]);
}
