import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { AppError } from "../kernel/errors.ts";

/** RFC 7914; 16 MiB and about 30 ms per attempt, on libuv's threads */
const cost = { N: 2 ** 14, r: 8, p: 1 };
const keyLength = 32;

/** Half of libuv's threads: the click log and DNS look-ups need the others */
const maxConcurrent = 2;
/** About a second of work */
const maxWaiting = 50;
let atOnce = 0;
const waiting: (() => void)[] = [];

/** Derives keys in the order of the calls; 503 if too many are waiting. */
async function derive(password: string, salt: Buffer): Promise<Buffer> {
  if (atOnce < maxConcurrent) atOnce += 1;
  else if (waiting.length < maxWaiting) await new Promise<void>((go) => waiting.push(go));
  else
    throw new AppError("SERVICE_UNAVAILABLE", "Too many passwords are being checked; try again shortly", {
      retryAfter: 1,
    });
  try {
    return await keyOf(password, salt);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else atOnce -= 1;
  }
}

const keyOf = (password: string, salt: Buffer): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password.normalize("NFC"), salt, keyLength, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** `scrypt$<salt>$<key>`, both base64url. 503 if too many passwords are being checked, as for verifyPassword. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt);
  return `scrypt$${salt.toString("base64url")}$${key.toString("base64url")}`;
}

/** Compares in constant time; false for a hash that is not ours. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, salt, key] = hash.split("$");
  if (scheme !== "scrypt" || !salt || !key) return false;
  const expected = Buffer.from(key, "base64url");
  const actual = await derive(password, Buffer.from(salt, "base64url"));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
