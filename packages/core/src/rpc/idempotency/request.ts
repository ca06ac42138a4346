import { issue } from "../../kernel/issues.ts";
import { createHash, createHmac } from "node:crypto";
import type { Base } from "../../db/base.ts";
import { AppError, refusal } from "../../kernel/errors.ts";

/** A call with an Idempotency-Key. */
export interface IdempotentRequest {
  accountId: string;
  /** The only one that gets the answer again; null if every credential of the account does */
  credential: string | null;
  /** As the client sent it; it is never stored */
  key: string;
  /** The stored form of the key, from which the key cannot be recovered */
  name: string;
  /** Of all that the client sent, and of `credential`, under the key: a stored one cannot be used to try passwords that were sent */
  hash: Buffer;
}

/** Where issues are that the key has */
export const header = "Idempotency-Key";

/** The request of a call of `operation`. Throws 400 for a key that is empty, too long or not text. */
export function requestOf(
  key: string,
  { accountId, credential }: Pick<IdempotentRequest, "accountId" | "credential">,
  operation: string,
  input: unknown,
): IdempotentRequest {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = "must have 1 to 255 visible ASCII characters";
    throw refusal("BAD_REQUEST", header, "invalid_format", message, { format: "ascii", max: 255 });
  }
  return {
    accountId,
    credential,
    key,
    name: createHash("sha256").update(`${accountId} ${key}`).digest("base64url"),
    hash: createHmac("sha256", key)
      .update(JSON.stringify([operation, input, credential]))
      .digest(),
  };
}

/** The keys of requests that this process works on, for each pool of connections. */
const keysOf = new WeakMap<Base["pool"], Set<string>>();

/** The refusal of a request while another one with its key is in progress. */
export const requestInProgress = (): AppError =>
  new AppError(
    "CONFLICT",
    issue(header, "in_progress", "the request with this key is still in progress; try again", { seconds: 1 }),
    { retryAfter: 1 },
  );

/**
 * Marks a request as in progress until the returned function is called. Throws 409 if one with its key is: a request
 * that waits for its turn has not claimed its key in the database yet, and a second one would wait behind it.
 */
export function enter({ pool }: Pick<Base, "pool">, { name }: IdempotentRequest): () => void {
  const keys = keysOf.get(pool) ?? new Set<string>();
  keysOf.set(pool, keys);
  if (keys.has(name)) throw requestInProgress();
  keys.add(name);
  return () => void keys.delete(name);
}
