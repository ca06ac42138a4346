import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import type { IdempotentRequest } from "./request.ts";

const compress = promisify(deflateRaw);
const decompress = promisify(inflateRaw);

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts an answer, which may have a secret in it, so that only who knows the Idempotency-Key can read it. The result is
 * nonce, tag and ciphertext of the compressed JSON (AES-256-GCM, a key by HKDF, RFC 5869).
 */
export async function seal(request: IdempotentRequest, answer: unknown): Promise<Buffer> {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, cipherKey(request), nonce);
  const text = await compress(JSON.stringify(answer));
  const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The answer that was sealed for the same request. */
export async function unseal(request: IdempotentRequest, sealed: Buffer): Promise<unknown> {
  const start = nonceBytes + tagBytes;
  const decipher = createDecipheriv(algorithm, cipherKey(request), sealed.subarray(0, nonceBytes));
  decipher.setAuthTag(sealed.subarray(nonceBytes, start));
  const text = Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]);
  return JSON.parse((await decompress(text)).toString()) as unknown;
}

const cipherKey = ({ key, accountId, hash }: IdempotentRequest) =>
  Buffer.from(hkdfSync("sha256", key, accountId, hash, 32));
