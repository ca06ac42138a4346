/** The host name in a Host header (RFC 9110 section 7.2): no port, lower case, no trailing dot. */
export function hostnameOfHeader(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, "").replace(/\.$/, "");
}
