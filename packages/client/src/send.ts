import type { Answer, CallOptions } from "./calls.ts";
import { type ApiError, ConnectionError, errorOf, TimeoutError } from "./errors.ts";
import type { ApiRequest } from "./request.ts";

/** What holds for all calls of a client; a call's own options go first. */
export interface SendOptions {
  /** API key or access token, or a function that returns the one that is valid now */
  key?: string | (() => string | Promise<string>) | undefined;
  /** Id or slug of the workspace that calls are about; default: the key's own */
  workspace?: string | undefined;
  /** Milliseconds that one request may take; of a file, until it begins. Default 30,000 */
  timeout?: number | undefined;
  /** How often a request is sent again. Default 3 */
  retries?: number | undefined;
  /** The longest time in milliseconds to wait as `Retry-After` asks; beyond it the call fails at once. Default 60,000 */
  maxWait?: number | undefined;
  /** Sent with every request */
  headers?: Record<string, string> | undefined;
  /** Used instead of the global `fetch` */
  fetch?: typeof fetch | undefined;
}

type Send = (request: ApiRequest, options?: CallOptions) => Promise<Answer<never, never>>;

/** The first pause before a request is sent again, in milliseconds; each further one may be twice as long. */
const firstPause = 250;

/** Sends requests, again if they failed in a way that passes and sending them twice has no other effect than once. */
export function sender(client: SendOptions): Send {
  return async (request, options = {}) => {
    const retries = options.retries ?? client.retries ?? 3;
    const { maxWait = 60_000 } = client;
    const headers = await headersOf(client, request, options);
    // A change that depends on `If-Match` finds its own effect. Callers without an account have no Idempotency-Key.
    const isRepeatable =
      request.method === "POST" ? "authorization" in headers : options.ifMatch === undefined;
    for (let attempt = 0; ; attempt += 1) {
      const result = await attemptOf(client, request, headers, options);
      if (!(result instanceof Error)) return result;
      const pause = pauseAfter(result, attempt, isRepeatable);
      if (pause === null || attempt >= retries || pause > maxWait) throw result;
      await waitFor(pause, options.signal);
    }
  };
}

/** Values by names in lower case. */
type HeaderValues = Record<string, string>;

async function headersOf(
  client: SendOptions,
  request: ApiRequest,
  options: CallOptions,
): Promise<HeaderValues> {
  const { key } = client;
  // Errors with their issues, and any answer otherwise.
  const headers: HeaderValues = { accept: "application/problem+json, */*" };
  for (const [name, value] of Object.entries({ ...client.headers, ...options.headers }))
    headers[name.toLowerCase()] = value;
  if (client.workspace !== undefined) headers["terse-workspace"] = client.workspace;
  if (key) headers["authorization"] = `Bearer ${typeof key === "string" ? key : await key()}`;
  if (request.contentType) headers["content-type"] = request.contentType;
  if (request.method === "POST") headers["idempotency-key"] = options.idempotencyKey ?? randomName();
  if (options.ifMatch !== undefined) headers["if-match"] = options.ifMatch;
  return headers;
}

/** `crypto.randomUUID` is missing in pages without https. */
const randomName = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

/** Sends a request once. Returns the error of an answer, or of one that is missing; throws only what ends the call. */
async function attemptOf(
  client: SendOptions,
  { method, url, body, isFile }: ApiRequest,
  headers: HeaderValues,
  { signal, timeout = client.timeout ?? 30_000 }: CallOptions,
): Promise<Answer<never, never> | ApiError | ConnectionError> {
  signal?.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeout);
  try {
    const response = await (client.fetch ?? fetch)(url, {
      method,
      headers,
      signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      ...(body !== undefined && { body }),
    });
    if (response.ok && isFile) return { data: response as never, meta: null as never, response };
    const text = await response.text();
    if (!response.ok && response.status !== 304) return errorOf(response, text);
    const { data, meta } = (text ? JSON.parse(text) : {}) as Answer<never, never>;
    return { data, meta, response };
  } catch (cause) {
    if (signal?.aborted) throw cause;
    if (late.signal.aborted) return new TimeoutError(`There was no answer within ${timeout} ms`, { cause });
    if (cause instanceof SyntaxError) return new ConnectionError("The answer is not JSON", { cause });
    return new ConnectionError(`The service could not be reached: ${reasonOf(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** Node's own message is "fetch failed"; the cause says why. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return cause?.message || message || String(error);
}

/**
 * Milliseconds until a request may be sent again; null if it must not. After 429 nothing has happened. Any other failure can be
 * that of an answer only.
 */
function pauseAfter(
  error: ApiError | ConnectionError,
  attempt: number,
  isRepeatable: boolean,
): number | null {
  const random = firstPause * 2 ** attempt * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return isRepeatable ? random : null;
  const { status, retryAfter } = error;
  const passes =
    status === 429 ||
    (isRepeatable && (status === 409 ? retryAfter !== null : [502, 503, 504].includes(status)));
  if (!passes) return null;
  return retryAfter === null ? random : Math.max(retryAfter * 1000, random);
}

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
  });
}
