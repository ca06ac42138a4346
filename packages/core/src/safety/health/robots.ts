import { type OutboundAnswer, OutboundError } from "../../outbound/outbound.ts";

/** Sends one request, which follows no redirect. Throws an OutboundError. */
export type Fetch = (method: "HEAD" | "GET", url: URL, maxBytes: number) => Promise<OutboundAnswer>;

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

/** The permissions of hosts' robots.txt (RFC 9309). `agent` is the product token by which they name the robot. */
export function createRobots(fetch: Fetch, agent: string, clock: () => Date) {
  const known = new Map<string, Known & { until: number }>();
  let bytes = 0;

  function forget(origin: string): void {
    bytes -= known.get(origin)?.bytes ?? 0;
    known.delete(origin);
  }

  return {
    /** Throws an OutboundError if the host does not answer. */
    async allows(url: URL): Promise<boolean> {
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

/** Everything is allowed without a file, nothing if it cannot be read (RFC 9309 section 2.3.1). */
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

/** A robots.txt's permissions for one robot (RFC 9309): pure rules, which a hostile file cannot make expensive. */

/** Rules for a robot, and characters of their patterns together. A file with more of them allows nothing. */
const maxRules = 2000;
const maxPatterns = 128 * 1024;
/** Characters of a path and query that are compared with the rules; a longer one is not allowed if there are any. */
const maxPath = 2000;
/** Memory of a rule besides its pattern, about */
const ruleBytes = 100;

/** Lines that matter, wherever they are */
const fields = /^[ \t\uFEFF]*(user-agent|allow|disallow)[ \t]*:(.*)/gim;

interface RobotsRules {
  allows(url: URL): boolean;
  /** Memory that the rules take, about */
  readonly bytes: number;
}

interface Rule {
  readonly pattern: string;
  readonly isAllowed: boolean;
}

/** The rules for `agent`, a product token; those for all robots if the file does not name it. */
export function parseRobots(text: string, agent: string): RobotsRules {
  const token = agent.toLowerCase();
  const groups: Record<"own" | "all", Rule[]> = { own: [], all: [] };
  let isOwnNamed = false;
  let isGroupHead = false;
  let isFor = { own: false, all: false };
  for (const [, name = "", remaining = ""] of text.matchAll(fields)) {
    const key = name.toLowerCase();
    const value = remaining.split("#", 1)[0]?.trim() ?? "";
    if (key === "user-agent") {
      if (!isGroupHead) isFor = { own: false, all: false };
      isGroupHead = true;
      const robot = /^(?:\*|[a-z_-]+)/i.exec(value)?.[0].toLowerCase();
      if (robot === "*") isFor.all = true;
      if (robot === token) isFor.own = true;
    } else {
      isGroupHead = false;
      if (isFor.own) isOwnNamed = true;
      if (value === "") continue;
      const rule = { pattern: value, isAllowed: key === "allow" };
      if (isFor.own) groups.own.push(rule);
      if (isFor.all) groups.all.push(rule);
    }
  }
  return rulesOf(isOwnNamed ? groups.own : groups.all);
}

function rulesOf(all: readonly Rule[]): RobotsRules {
  const rules = all.slice(0, maxRules).map((rule) => ({ ...rule, pattern: normalized(rule.pattern) }));
  const length = rules.reduce((sum, { pattern }) => sum + pattern.length, 0);
  if (all.length > maxRules || length > maxPatterns) return { allows: () => false, bytes: ruleBytes };
  // The longest pattern decides, and of two equally long ones the one that allows.
  const sorted = rules.toSorted(
    (left, right) =>
      right.pattern.length - left.pattern.length || Number(right.isAllowed) - Number(left.isAllowed),
  );
  return {
    bytes: ruleBytes * (1 + sorted.length) + length,
    allows({ pathname, search }) {
      const path = upperCaseEscapes(pathname + search);
      if (path.length > maxPath) return sorted.length === 0;
      return sorted.find(({ pattern }) => matches(pattern, path))?.isAllowed ?? true;
    },
  };
}

/** As paths are written in a URL; also a copy, since a slice would keep the whole file in memory. */
function normalized(pattern: string): string {
  try {
    return upperCaseEscapes(encodeURI(pattern).replaceAll("%25", "%"));
  } catch {
    return Buffer.from(pattern).toString(); // half of a surrogate pair
  }
}

const upperCaseEscapes = (text: string) => text.replaceAll(/%[0-9a-fA-F]{2}/g, (code) => code.toUpperCase());

/** Whether a path begins with a pattern, in which `*` is any text and a final `$` the end. Each part is searched after the last. */
export function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [start = "", ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(start)) return false;
  if (isWhole && parts.length === 0) return path.length === start.length;
  const end = isWhole ? (parts.pop() ?? "") : "";
  let at = start.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return path.length - end.length >= at && path.endsWith(end);
}
