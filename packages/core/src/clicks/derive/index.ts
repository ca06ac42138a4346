import { countryOf } from "./country.ts";
import { createMemo } from "./memo.ts";
import { referrerHost } from "./referrer.ts";
import { type Agent, parseAgent } from "./user-agent.ts";

export { HEAD, PREFETCH, PREVIEW, requestFlags } from "./request-flags.ts";
export type { Device } from "./user-agent.ts";
export { otherReferrers } from "./referrer.ts";
export { visitorHash } from "./visitor.ts";

/** What is kept of a click: no address, no user agent, no path. Every text is from a small set, `referrer` excepted. */
export interface Derived extends Agent {
  /** ISO 3166-1 alpha-2 in upper case, or XK; null where unknown, such as for private addresses. */
  country: string | null;
  /** A host name in lower case, without port and trailing dot, or an Android app's package; null for none, and of bots. */
  referrer: string | null;
}

/** What a request said, word for word; a header that it did not have is "". */
export interface DeriveInput {
  /** IPv4 or IPv6, in any spelling. */
  address: string;
  user_agent: string;
  referrer: string;
  /** What a trusted proxy said; it wins over the address where it is a country. */
  country: string;
  /** Bits of `requestFlags`; any of them makes the click a bot's. */
  flags: number;
}

/** User agents that are remembered: 10 MB if each were as long as can be. */
const mostAgents = 8192;

/** Builds the pure function from a raw click to what is stored of it. */
export function createDeriver(): (click: DeriveInput) => Derived {
  const agents = createMemo(parseAgent, mostAgents);
  return ({ address, user_agent, referrer, country, flags }) => {
    const { device, browser, os, ...agent } = agents.get(user_agent);
    const bot = agent.bot || flags !== 0;
    return {
      country: countryOf(country, address),
      device,
      browser,
      os,
      referrer: bot ? null : referrerHost(referrer),
      bot,
    };
  };
}
