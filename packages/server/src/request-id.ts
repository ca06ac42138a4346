import { randomBytes, randomUUID } from "node:crypto";

/** The header that carries the request id, in requests and responses. */
export const requestIdHeader = "X-Request-Id";

const safeId = /^[A-Za-z0-9._-]{1,128}$/;

/** The start of a random UUID (RFC 9562), with its version and variant; the same for all requests of a process. */
const processPrefix = randomUUID().slice(0, 20);
const randomDigits = 15;
const idsPerPool = 512;

/** Random hexadecimal digits for many ids, which are cheaper at once; `next` is the first unused one. */
let pool = "";
let next = 0;

/** Returns an id in the form of a random UUID, at half of its cost. It reveals nothing about earlier requests. */
export function newRequestId(): string {
  if (next === pool.length) {
    pool = randomBytes((randomDigits + 1) * (idsPerPool / 2))
      .toString("hex")
      .slice(0, randomDigits * idsPerPool);
    next = 0;
  }
  const first = next;
  next += randomDigits;
  return `${processPrefix}${pool.slice(first, first + 3)}-${pool.slice(first + 3, next)}`;
}

/** Returns the caller's request id if it is safe to repeat (1 to 128 of `A-Za-z0-9._-`), else a new one. */
export function requestIdFrom(header: string | null | undefined): string {
  return header && safeId.test(header) ? header : newRequestId();
}
