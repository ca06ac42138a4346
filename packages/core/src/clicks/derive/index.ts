import { countryOf } from "./country.ts";
import { createMemo } from "./memo.ts";
import { referrerHost } from "./referrer.ts";
import { type Agent, parseAgent } from "./user-agent.ts";

export { HEAD, PREFETCH, PREVIEW, requestFlags } from "./request-flags.ts";
export type { Device } from "./user-agent.ts";
export { otherReferrers } from "./referrer.ts";
export { visitorHash } from "./visitor.ts";

/** What is stored of a click: no address, user agent or path. All texts except `referrer` come from small sets. */
export interface Derived extends Agent {
  /** ISO 3166-1 alpha-2 in upper case, or XK; null if unknown, such as for private addresses */
  country: string | null;
  /** Host name in lower case, without port and trailing dot, or an Android app's package; null if none, and for bots */
  referrer: string | null;
}

/** Values of a request, unchanged; "" for a missing header. */
export interface DeriveInput {
  /** IPv4 or IPv6, in any spelling */
  address: string;
  user_agent: string;
  referrer: string;
  /** From a trusted proxy's header; if it is a country, it overrides the address */
  country: string;
  /** Bits of `requestFlags`; any of them makes the click a bot's */
  flags: number;
}

/** Cached user agents: 10 MB if each has the maximum length. */
const maxAgents = 8192;

/** Returns the pure function from a raw click to what is stored of it. */
export function createDeriver(): (click: DeriveInput) => Derived {
  const agents = createMemo(parseAgent, maxAgents);
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
