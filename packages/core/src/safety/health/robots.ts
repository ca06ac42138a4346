import { OutboundError } from "../../outbound/outbound-error.ts";
import type { Fetch } from "./follow.ts";
import { parseRobots, type RobotsRules } from "./robots-rules.ts";

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
/** Hosts whose robots.txt is remembered, and the memory for their rules */
const maxHosts = 1000;
const maxRememberedBytes = 8_000_000;

interface Known extends RobotsRules {
  readonly keptMs: number;
}

/** `agent` is the product token by which a robots.txt names the robot. */
export function createRobots(fetch: Fetch, agent: string, clock: () => Date): Robots {
  const known = new Map<string, Known & { until: number }>();
  let bytes = 0;

  function forget(origin: string): void {
    bytes -= known.get(origin)?.bytes ?? 0;
    known.delete(origin);
  }

  return {
    async allows(url) {
      const now = clock().getTime();
      const remembered = known.get(url.origin);
      if (remembered && remembered.until > now) return remembered.allows(url);
      const rules = await readRules(fetch, url.origin, agent);
      forget(url.origin);
      known.set(url.origin, { ...rules, until: now + rules.keptMs });
      bytes += rules.bytes;
      for (const [oldest] of known) {
        if (known.size <= maxHosts && bytes <= maxRememberedBytes) break;
        forget(oldest);
      }
      return rules.allows(url);
    },
  };
}

/** All is allowed where there is no file, nothing where it cannot be read (RFC 9309 section 2.3.1). */
async function readRules(fetch: Fetch, origin: string, agent: string): Promise<Known> {
  const address = `${origin}/robots.txt`;
  try {
    const { status, body } = await fetch("GET", new URL(address), maxBytes);
    if (status >= 500) return { allows: () => false, bytes: 0, keptMs: failureKeptMs };
    if (status >= 300) return { allows: () => true, bytes: 0, keptMs };
    return { ...parseRobots(body, agent), keptMs };
  } catch (error) {
    if (!(error instanceof OutboundError) || error.kind === "stopped") throw error;
    const fail = () => {
      throw error;
    };
    return { allows: fail, bytes: 0, keptMs: failureKeptMs };
  }
}
