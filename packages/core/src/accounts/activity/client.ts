import { parseAgent } from "../../clicks/derive/user-agent.ts";
import type { Source } from "../../kernel/context.ts";
import { networkOf } from "../../kernel/addresses.ts";

/** What is recorded of where a call came from. */
export interface Client {
  /** The /24 of an IPv4 address, the /48 of an IPv6 address */
  network: string | null;
  /** Such as "Firefox on Linux" or "curl/8.5.0" */
  client: string | null;
}

export const clientOf = ({ address, user_agent }: Source = {}): Client => ({
  network: address === undefined ? null : networkOf(address),
  client: user_agent ? describeAgent(user_agent) : null,
});

/** A browser and its system without versions, or the product that a program names first. */
function describeAgent(userAgent: string): string | null {
  const { browser, os } = parseAgent(userAgent);
  if (browser !== null) return os === null ? browser : `${browser} on ${os}`;
  return /^[\w.-]{1,40}(\/[\w.-]{1,20})?/.exec(userAgent)?.[0] ?? null;
}
