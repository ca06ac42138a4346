import { BlockList, isIP } from "node:net";
import { isPublic, parseAddress } from "../kernel/addresses.ts";
import type { Dns } from "../kernel/dns.ts";
import { OutboundError } from "./outbound-error.ts";

/** Addresses to which a request may connect. */
export interface GuardedAddress {
  address: string;
  family: 4 | 6;
}

/** Turns a host into the addresses to which a request may connect. Throws an OutboundError if there are none. */
export type Guard = (hostname: string, signal: AbortSignal) => Promise<[GuardedAddress, ...GuardedAddress[]]>;

/**
 * Creates the guard against requests into the operator's own network (SSRF): it lets through public addresses and the given
 * networks (CIDR blocks or addresses). The request connects to the addresses that were checked, so a name that changes in
 * between gains nothing.
 * @throws {TypeError} for a text that is not a network
 */
export function createGuard(dns: Dns, networks: readonly string[]): Guard {
  const allowed = blockListOf(networks);

  function isAllowed({ address, family }: GuardedAddress): boolean {
    const parsed = parseAddress(address);
    return (parsed !== null && isPublic(parsed)) || allowed.check(address, family === 4 ? "ipv4" : "ipv6");
  }

  return async (hostname, signal) => {
    const literal = hostname.replace(/^\[(.*)\]$/, "$1");
    const found = isIP(literal)
      ? [literal]
      : await dns.ask(({ addresses }) => addresses(hostname.replace(/\.$/, "")), signal);
    if (found === null) throw new OutboundError("dns", "The resolver did not answer");
    const [first, ...rest] = found.map(withFamily).filter(isAllowed);
    if (first !== undefined) return [first, ...rest];
    throw found.length === 0
      ? new OutboundError("dns", "The host has no address")
      : new OutboundError("private", "The host has no public address");
  };
}

const withFamily = (address: string): GuardedAddress => ({ address, family: isIP(address) === 6 ? 6 : 4 });

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", given, ...rest] = network.split("/");
    const family = isIP(address);
    const bits = family === 4 ? 32 : 128;
    const prefix = given ?? String(bits);
    if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits)
      throw new TypeError(`createCore: outboundNetworks: ${network} is not a network, such as 10.0.0.0/8`);
    list.addSubnet(address, Number(prefix), family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
