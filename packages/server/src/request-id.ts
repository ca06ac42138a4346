import { randomUUID } from "node:crypto";

/** The header that names a request, on its way in and out. */
export const requestIdHeader = "X-Request-Id";

const accepted = /^[A-Za-z0-9._-]{1,128}$/;

/** The beginning of a random UUID (RFC 9562), the same for all requests of a process. */
const own = randomUUID().slice(0, 24);
let count = 0;

/** In a UUID's form, and unique; its end counts, which costs a tenth of what a random one does. */
export const newRequestId = (): string => own + (count++).toString(16).padStart(12, "0");

/** The caller's request id where it is safe to repeat (1 to 128 of `A-Za-z0-9._-`), else a new one. */
export function requestIdFrom(header: string | null | undefined): string {
  return header && accepted.test(header) ? header : newRequestId();
}
