import { request as httpRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { isPublic, parseAddress } from "../kernel/addresses.ts";
import type { Dns } from "../kernel/dns.ts";

/** Why a request got no answer. `message` is a sentence for the owner of the webhook or link. */
export class OutboundError extends Error {
  readonly kind: "dns" | "private" | "timeout" | "connection" | "stopped";

  constructor(kind: OutboundError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

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
export type Outbound = ReturnType<typeof createOutbound>;

/** Milliseconds for looking up a host while a caller waits */
const lookupMs = 2000;

export function createOutbound(dns: Dns, networks: readonly string[]) {
  const guard = createGuard(dns, networks);

  return {
    /** Whether the operator allows requests into some private networks */
    allowsPrivate: networks.length > 0,
    /** Whether a host has addresses now, none of which a request may connect to. A host that does not resolve may do so later. */
    async isForbidden(hostname: string): Promise<boolean> {
      try {
        await guard(hostname, AbortSignal.timeout(lookupMs));
        return false;
      } catch (error) {
        return error instanceof OutboundError && error.kind === "private";
      }
    },
    /** Throws an OutboundError if there is no answer. */
    async send(url: URL, request: OutboundRequest): Promise<OutboundAnswer> {
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
  addresses: GuardedAddresses,
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

/** Answers with the checked addresses, whatever the name resolves to by now. */
const lookupOf =
  (addresses: GuardedAddresses): LookupFunction =>
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
  // One of several addresses is enough to show the reason.
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  return String(code ?? message).slice(0, 100);
};

/** An address to which a request may connect. */
interface GuardedAddress {
  address: string;
  family: 4 | 6;
}
type GuardedAddresses = readonly [GuardedAddress, ...GuardedAddress[]];

/**
 * Creates the guard against requests into the operator's own network (SSRF). It turns a host into the addresses to which a request
 * may connect, and throws an OutboundError if there are none: it lets through public addresses and the given
 * networks (CIDR blocks or addresses). The request connects to the addresses that were checked, so a name that changes in
 * between gains nothing.
 * @throws {TypeError} for a text that is not a network
 */
function createGuard(dns: Dns, networks: readonly string[]) {
  const allowed = blockListOf(networks);

  function isAllowed({ address, family }: GuardedAddress): boolean {
    const parsed = parseAddress(address);
    return (parsed !== null && isPublic(parsed)) || allowed.check(address, family === 4 ? "ipv4" : "ipv6");
  }

  return async (hostname: string, signal: AbortSignal): Promise<GuardedAddresses> => {
    const literal = hostname.replace(/^\[(.*)\]$/, "$1");
    const found = isIP(literal)
      ? [literal]
      : await dns.ask(({ addresses }) => addresses(hostname.replace(/\.$/, "")), signal);
    if (found === null) throw new OutboundError("dns", "The resolver did not answer");
    const [first, ...more] = found.map(withFamily).filter(isAllowed);
    if (first !== undefined) return [first, ...more];
    throw found.length === 0
      ? new OutboundError("dns", "The host has no address")
      : new OutboundError("private", "The host has no public address");
  };
}

const withFamily = (address: string): GuardedAddress => ({ address, family: isIP(address) === 6 ? 6 : 4 });

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", given, ...more] = network.split("/");
    const family = isIP(address);
    const bits = family === 4 ? 32 : 128;
    const prefix = given ?? String(bits);
    if (family === 0 || more.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits)
      throw new TypeError(`createCore: outboundNetworks: ${network} is not a network, such as 10.0.0.0/8`);
    list.addSubnet(address, Number(prefix), family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
