import type { Base } from "../../db/base.ts";
import { AppError } from "../../kernel/errors.ts";
import type { IdempotentRequest } from "./once.ts";

/** The keys of requests that this process works on, for each pool of connections. */
const keysOf = new WeakMap<Base["pool"], Set<string>>();

/** The refusal of a request while another one with its key is under way. */
export const stillUnderWay = (): AppError =>
  new AppError("CONFLICT", "Idempotency-Key: the request with this key is still in progress; try again", {
    retryAfter: 1,
  });

/**
 * Notes that a request is under way, until the returned function is called. Throws 409 if one with its key is: a request that
 * waits for its turn has not claimed its key in the database yet, and a second one would wait behind it.
 */
export function enter({ pool }: Pick<Base, "pool">, { name }: IdempotentRequest): () => void {
  const keys = keysOf.get(pool) ?? new Set<string>();
  keysOf.set(pool, keys);
  if (keys.has(name)) throw stillUnderWay();
  keys.add(name);
  return () => void keys.delete(name);
}
