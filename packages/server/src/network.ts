import { isIP, SocketAddress } from "node:net";

/** A block of addresses: `family` is the family of `address`, `prefix` a number of leading bits (RFC 4632, RFC 4291). */
export interface Network {
  readonly address: string;
  readonly family: "ipv4" | "ipv6";
  readonly prefix: number;
}

const mappedAddress = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the canonical form of an IP address: IPv6 compressed and lower case (RFC 5952), IPv4-mapped IPv6 as IPv4,
 * without zone identifier. Null if `text` is not an address.
 */
export function normalizeAddress(text: string): string | null {
  if (isIP(text) === 4) return text;
  const address = text.split("%", 1)[0] as string;
  if (isIP(address) !== 6) return null;
  const canonical = new SocketAddress({ address, family: "ipv6" }).address;
  return mappedAddress.exec(canonical)?.[1] ?? canonical;
}

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address; null if `text` is neither. */
export function parseNetwork(text: string): Network | null {
  const [, addressText = "", bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = normalizeAddress(addressText);
  if (address === null) return null;
  const width = isIP(addressText) === 4 ? 32 : 128;
  const prefix = bits === undefined ? width : Number(bits);
  if (prefix > width) return null;
  if (isIP(address) === 6) return { address, family: "ipv6", prefix };
  // An IPv4 network written as IPv4-mapped IPv6 has 96 more bits; a shorter prefix would extend beyond IPv4.
  const mappedBits = width - 32;
  return prefix < mappedBits ? null : { address, family: "ipv4", prefix: prefix - mappedBits };
}

/**
 * Splits `1.2.3.4`, `1.2.3.4:53`, `2001:db8::1` or `[2001:db8::1]:53` into its normalised address and its port, if any;
 * null if `text` has another form.
 */
export function parseEndpoint(text: string): { address: string; port: number | null } | null {
  const bare = normalizeAddress(text);
  if (bare !== null) return { address: bare, port: null };
  const [, v6, v4, digits] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = normalizeAddress(v6 ?? v4 ?? "");
  const port = digits === undefined ? null : Number(digits);
  if (address === null || (v6 !== undefined && isIP(v6) !== 6)) return null;
  return port !== null && (port < 1 || port > 65_535) ? null : { address, port };
}

/** Whether a host name, as URL spells it, is this machine (RFC 6761 section 6.3). */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || isLoopbackAddress(hostname);

/** Whether a normalised IP address is a loopback address (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3). */
export const isLoopbackAddress = (address: string): boolean =>
  address === "::1" || /^127(\.\d{1,3}){3}$/.test(address);
