import { parseAddress } from "./clicks/derive/address.ts";

/** How many times as much a site may do as one client on it. */
export const siteShare = 10;

/**
 * The site (/48) of an IPv6 client, given as its address or its /64: anybody gets one for nothing, with 65,536 clients'
 * worth of /64s in it. Null for everybody else.
 */
export function siteOf(client: string): string | null {
  const address = parseAddress(client.replace(/\/\d+$/, ""));
  if (address === null || typeof address === "number") return null;
  const groups = address.slice(0, 3).map((group) => group.toString(16));
  return `${groups.join(":")}::/48`;
}
