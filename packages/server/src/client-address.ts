import { BlockList, isIP } from "node:net";
import { ipv6Network } from "@terse/core/redirect";
import { normalizeAddress, parseEndpoint, parseNetwork } from "./network.ts";

/** The client, according to the peer and the trusted proxies. */
export interface Client {
  /** The client's normalised IP address; `0.0.0.0` if there is no connection. */
  readonly address: string;
  /** The protocol between the client and the outermost trusted proxy; undefined if no trusted proxy reported it. */
  readonly protocol: "http" | "https" | undefined;
  /** The country header of a trusted proxy, which need not be a valid country code; null if there is none. */
  readonly country: string | null;
}

/** Any header collection: `Headers`, or `{ get: (name) => request.headers[name] }` with lower-case names. */
export interface HeaderReader {
  get(name: string): string | null | undefined;
}

export type ClientInfo = (remoteAddress: string | undefined, headers: HeaderReader) => Client;

const unknownAddress = "0.0.0.0";

/** Headers in which proxies send the visitor's country, in order of precedence; proxies must overwrite what clients send. */
const countryHeaders = [
  "cf-ipcountry",
  "cloudfront-viewer-country",
  "x-vercel-ip-country",
  "x-country-code",
] as const;

/**
 * Creates the function that finds the client behind proxies. Headers are trusted only from a direct peer within
 * `trustedProxies` (addresses or CIDR blocks, IPv4 or IPv6). Throws a RangeError for an invalid entry.
 */
export function createClientInfo(trustedProxies: readonly string[]): ClientInfo {
  const isTrusted = createTrust(trustedProxies);

  return (remoteAddress, headers) => {
    const peer = remoteAddress === undefined ? null : normalizeAddress(remoteAddress);
    if (peer === null || !isTrusted(peer)) {
      return { address: peer ?? unknownAddress, protocol: undefined, country: null };
    }
    return {
      address: originOf(peer, headers.get("x-forwarded-for") ?? "", isTrusted),
      protocol: protocolOf(headers.get("x-forwarded-proto") ?? ""),
      country: countryIn(headers),
    };
  };
}

/** Creates the function that decides whether an address, normalised, is that of a trusted proxy. Throws as above. */
export function createTrust(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const network = parseNetwork(entry);
    if (!network) throw new RangeError(`not an address or CIDR block: ${entry}`);
    trusted.addSubnet(network.address, network.prefix, network.family);
  }
  return (address) =>
    trustedProxies.length > 0 && trusted.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** The key that one client is counted under: an IPv4 address, or the /64 of an IPv6 address. */
export const rateLimitKey = (address: string): string =>
  ipv6Network(address, 64) ?? normalizeAddress(address) ?? address;

/** Each proxy appends its peer, so only the entries to the right of the first untrusted hop can be trusted. */
function originOf(peer: string, forwardedFor: string, isTrusted: (address: string) => boolean): string {
  let origin = peer;
  let end = forwardedFor.length;
  while (end > 0 && isTrusted(origin)) {
    const comma = forwardedFor.lastIndexOf(",", end - 1);
    const hop = parseEndpoint(forwardedFor.slice(comma + 1, end).trim());
    if (hop === null) break;
    origin = hop.address;
    end = comma;
  }
  return origin;
}

/** The rightmost value is from our own proxy. */
function protocolOf(forwardedProto: string): "http" | "https" | undefined {
  const last = forwardedProto
    .slice(forwardedProto.lastIndexOf(",") + 1)
    .trim()
    .toLowerCase();
  return last === "http" || last === "https" ? last : undefined;
}

/** Returns the first of the headers, even if it says that the country is unknown. */
function countryIn(headers: HeaderReader): string | null {
  for (const name of countryHeaders) {
    const country = headers.get(name)?.trim();
    if (country) return country;
  }
  return null;
}
