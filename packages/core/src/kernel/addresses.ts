import { isIPv6 } from "node:net";

/** IPv4 as its 32 bits, IPv6 as its eight groups of 16 bits. */
export type Address = number | readonly number[];

/** Parses an address in any spelling: IPv4-mapped IPv6 becomes IPv4, zones are dropped; null if it is not an address. */
export function parseAddress(text: string): Address | null {
  const bits = ipv4Of(text);
  if (bits !== null) return bits;
  const zone = text.indexOf("%");
  const bare = zone === -1 ? text : text.slice(0, zone);
  if (!isIPv6(bare)) return null;
  const [head = "", tail = ""] = bare.split("::", 2);
  const groups = groupsOf(head);
  const remaining = groupsOf(tail);
  while (groups.length + remaining.length < 8) groups.push(0);
  groups.push(...remaining);
  return isMapped(groups) ? (((groups[6] ?? 0) << 16) | (groups[7] ?? 0)) >>> 0 : groups;
}

/** Formats 32 bits as `192.0.2.1`. */
export function dotted(bits: number): string {
  return `${bits >>> 24}.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${bits & 255}`;
}

/** The blocks of IANA's IPv4 special-purpose registry, and multicast, as `[first address, prefix]`. */
const special = (
  [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 3],
  ] as const
).map(([first, prefix]) => ({ shift: 32 - prefix, block: (ipv4Of(first) ?? 0) >>> (32 - prefix) }));

/** True for an address on the public Internet: not private, local, documentation, multicast … */
export function isPublic(address: Address): boolean {
  if (typeof address === "number") return !special.some(({ shift, block }) => address >>> shift === block);
  const [first = 0, second = 0] = address;
  if (first >>> 13 !== 1) return false; // only 2000::/3 is assigned
  if (first === 0x2001) return second !== 0xdb8 && second >>> 9 !== 0;
  return first !== 0x2002 && !(first === 0x3fff && second >>> 12 === 0);
}

/** The bits of four numbers with dots between them, without leading zeros; null for anything else. */
function ipv4Of(text: string): number | null {
  let bits = 0;
  let dots = 0;
  /** Negative before its first digit */
  let octet = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 46) {
      if (octet < 0 || ++dots > 3) return null;
      bits = (bits << 8) | octet;
      octet = -1;
    } else {
      if (code < 48 || code > 57 || octet === 0) return null;
      octet = Math.max(octet, 0) * 10 + code - 48;
      if (octet > 255) return null;
    }
  }
  return dots === 3 && octet >= 0 ? ((bits << 8) | octet) >>> 0 : null;
}

function groupsOf(text: string): number[] {
  const groups: number[] = [];
  for (const group of text === "" ? [] : text.split(":")) {
    if (group.includes(".")) {
      const bits = ipv4Of(group) ?? 0;
      groups.push(bits >>> 16, bits & 0xffff);
    } else groups.push(Number.parseInt(group, 16));
  }
  return groups;
}

function isMapped(groups: readonly number[]): boolean {
  return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
}

/** A site has this many times the limit of one client. */
export const clientsPerSite = 10;

/** The network of an IPv6 address with that prefix length, such as `2001:db8:0:7::/64`; null for anything else. */
export function ipv6Network(text: string, prefix: 48 | 64): string | null {
  const address = parseAddress(text);
  if (address === null || typeof address === "number") return null;
  const groups = address.slice(0, prefix / 16).map((group) => group.toString(16));
  return `${groups.join(":")}::/${prefix}`;
}

/** The network recorded instead of an address: the /24 of IPv4, the /48 of IPv6; null if it is not an address. */
export function networkOf(text: string): string | null {
  const address = parseAddress(text);
  return typeof address === "number" ? `${dotted(address & ~255)}/24` : ipv6Network(text, 48);
}

/**
 * The site (/48) of an IPv6 client, which is given as its address or its /64; null for other clients. Anyone can get
 * a /48 for free, and it contains 65,536 clients.
 */
export const siteOf = (client: string): string | null => ipv6Network(client.replace(/\/\d+$/, ""), 48);

/** The same for a column that is never null. */
export const addressNetwork = (text: string): string => networkOf(text) ?? "unknown";
