import { type IncomingMessage, type RequestOptions, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import type { Dns } from "../kernel/dns.ts";
import { createGuard, type GuardedAddress } from "./guard.ts";
import { OutboundError } from "./outbound-error.ts";

export interface OutboundRequest {
  method: "GET" | "HEAD" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Bytes of the answer's body that are read; the connection is closed after them */
  maxBytes: number;
  /** Milliseconds for all of it, from the DNS query to the last byte */
  timeoutMs: number;
  /** Ends the request when the service stops */
  signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  status: number;
  /** The Location header, in ASCII */
  location: string | null;
  /** The Content-Type header */
  contentType: string | null;
  /** The beginning of the body, as UTF-8 */
  body: string;
}

/** Sends one request to a host that a user chose. Follows no redirect, uses no proxy, and reuses no connection. */
export interface Outbound {
  /** Throws an OutboundError if there is no answer. */
  send(url: URL, request: OutboundRequest): Promise<OutboundAnswer>;
  /** Whether the operator allows requests into some private networks */
  readonly allowsPrivate: boolean;
  /** Whether a host has addresses now, none of which a request may connect to. A host that does not resolve may do so later. */
  isForbidden(hostname: string): Promise<boolean>;
}

/** Milliseconds for looking up a host that a caller waits for */
const lookupMs = 2000;

export function createOutbound(dns: Dns, networks: readonly string[]): Outbound {
  const guard = createGuard(dns, networks);

  return {
    allowsPrivate: networks.length > 0,
    async isForbidden(hostname) {
      try {
        await guard(hostname, AbortSignal.timeout(lookupMs));
        return false;
      } catch (error) {
        return error instanceof OutboundError && error.kind === "private";
      }
    },
    async send(url, request) {
      const timeout = AbortSignal.timeout(request.timeoutMs);
      const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout;
      try {
        const addresses = await guard(url.hostname, signal);
        signal.throwIfAborted();
        return await answerOf(url, request, addresses, signal);
      } catch (error) {
        if (request.signal?.aborted) throw new OutboundError("stopped", "The service stopped");
        if (timeout.aborted)
          throw new OutboundError(
            "timeout",
            `There was no answer within ${request.timeoutMs / 1000} seconds`,
          );
        if (error instanceof OutboundError) throw error;
        throw new OutboundError("connection", `The connection failed: ${codeOf(error)}`, { cause: error });
      }
    },
  };
}

function answerOf(
  url: URL,
  { method, headers, body, maxBytes }: OutboundRequest,
  addresses: readonly [GuardedAddress, ...GuardedAddress[]],
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const options: RequestOptions = {
    method,
    // The short-lived agent that Node makes for `false` knows no proxy and keeps no connection.
    agent: false,
    headers: { ...headers, ...length },
    lookup: lookupOf(addresses),
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options);
    request.on("error", reject);
    request.on("response", (response) => {
      beginningOf(response, maxBytes).then(
        (text) =>
          resolve({
            status: response.statusCode ?? 0,
            location: escaped(response.headers.location) ?? null,
            contentType: response.headers["content-type"] ?? null,
            body: text,
          }),
        reject,
      );
    });
    request.end(body);
  });
}

/** Some services send an address with bytes of UTF-8, which Node reads as Latin-1. They are escaped, as in browsers. */
const escaped = (header: string | undefined) =>
  header?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);

/** Answers with the addresses that were checked, whatever the name resolves to by now. */
const lookupOf =
  (addresses: readonly [GuardedAddress, ...GuardedAddress[]]): LookupFunction =>
  (_hostname, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, addresses[0].address, addresses[0].family);
  };

async function beginningOf(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break; // Leaving the loop closes the connection.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8");
}

const codeOf = (error: unknown): string => {
  const { code, message, errors } = error as { code?: unknown; message?: unknown; errors?: unknown };
  // One of several addresses is enough to know why.
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return String(code ?? message).slice(0, 100);
};
