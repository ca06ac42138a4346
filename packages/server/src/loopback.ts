/** Whether a host name, as URL spells it, means this machine (RFC 6761 section 6.3). */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || isLoopbackAddress(hostname);

/** Whether a normalised IP address is this machine's own (RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3). */
export const isLoopbackAddress = (address: string): boolean =>
  address === "::1" || /^127(\.\d{1,3}){3}$/.test(address);
