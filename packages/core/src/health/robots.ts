import robotsParserModule from "robots-parser";
import { OutboundError } from "../outbound/index.ts";
import type { Fetch } from "./follow.ts";

/** What the robots.txt of a host allows (RFC 9309). */
export interface Robots {
  /** Throws an OutboundError if the host does not answer. */
  allows(url: URL): Promise<boolean>;
}

/** Bytes of a robots.txt that are read (RFC 9309 section 2.5), and how long it is believed (section 2.4) */
const maxBytes = 500 * 1024;
const keptMs = 24 * 3_600_000;
/** How long a host is left alone whose robots.txt cannot be read */
const failureKeptMs = 30 * 60_000;
/** Hosts whose robots.txt is remembered */
const maxHosts = 1000;

// Its types describe another form of the module than the one that Node loads.
const robotsParser = robotsParserModule as unknown as (
  address: string,
  text: string,
) => { isAllowed(url: string, agent: string): boolean | undefined };

interface Known {
  allows: (url: URL) => boolean;
  keptMs: number;
}

/** `agent` is the product token by which a robots.txt names the robot. */
export function createRobots(fetch: Fetch, agent: string, clock: () => Date): Robots {
  const known = new Map<string, Known & { until: number }>();

  return {
    async allows(url) {
      const now = clock().getTime();
      const remembered = known.get(url.origin);
      if (remembered && remembered.until > now) return remembered.allows(url);
      const rules = await readRules(fetch, url.origin, agent);
      known.delete(url.origin);
      known.set(url.origin, { ...rules, until: now + rules.keptMs });
      for (const [oldest] of known) if (known.size > maxHosts) known.delete(oldest);
      return rules.allows(url);
    },
  };
}

/** All is allowed where there is no file, nothing where it cannot be read (RFC 9309 section 2.3.1). */
async function readRules(fetch: Fetch, origin: string, agent: string): Promise<Known> {
  const address = `${origin}/robots.txt`;
  try {
    const { status, body } = await fetch("GET", new URL(address), maxBytes);
    if (status >= 500) return { allows: () => false, keptMs: failureKeptMs };
    if (status >= 300) return { allows: () => true, keptMs };
    const rules = robotsParser(address, body);
    return { allows: (url) => rules.isAllowed(url.href, agent) ?? true, keptMs };
  } catch (error) {
    if (!(error instanceof OutboundError) || error.kind === "stopped") throw error;
    const fail = () => {
      throw error;
    };
    return { allows: fail, keptMs: failureKeptMs };
  }
}
