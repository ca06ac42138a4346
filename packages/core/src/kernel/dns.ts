import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { ShortHost } from "./short-host.ts";

/** What resolvers answer: nothing is an empty list; null where they did not answer, or not with an answer. */
export type Found = string[] | null;

export interface Lookups {
  /** TXT records, the strings of each joined as senders cut them (RFC 1035 section 3.3.14) */
  texts(name: string): Promise<Found>;
  /** The names that CNAME records lead to, one after the other, in lower case */
  aliases(name: string): Promise<Found>;
  /** IPv4 and IPv6 addresses; CNAME records are followed on the way */
  addresses(name: string): Promise<Found>;
}

export interface Dns {
  /** Gives `task` look-ups that have all ended after 3.5 seconds, or once `signal` is aborted. */
  ask<T>(task: (lookups: Lookups) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The short-link host's own addresses; remembered for a minute, and for as long as resolvers do not answer. */
  shortHostAddresses(): Promise<Found>;
}

/** Leaves a request that waits for it time to answer within five seconds. */
const patienceMs = 3500;
/** A resolver's time until the next one is asked; all are asked twice, as far as the patience goes. */
const resolverOptions = { timeout: 1000, tries: 2 };
const mostAliases = 8;
const rememberMs = 60_000;
/** After a question without an answer the next one waits this long. */
const pauseMs = 15_000;

/** Says that there is no such name, or none with such records; anything else is no answer. */
const nothing = new Set(["ENOTFOUND", "ENODATA"]);

/** Look-ups at the given resolvers, as addresses with optional ports; at the system's where there are none. */
export function createDns(servers: readonly string[], { hostname }: ShortHost, clock: () => Date): Dns {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  let known: Found = null;
  let asked: { answer: Promise<Found>; until: number } | null = null;

  async function ask<T>(task: (lookups: Lookups) => Promise<T>, signal?: AbortSignal): Promise<T> {
    // A resolver of its own remembers nothing of earlier questions, and can be cancelled alone.
    const resolver = new Resolver(resolverOptions);
    if (servers.length > 0) resolver.setServers(servers);
    const over = new AbortController();
    const end = () => {
      over.abort();
      resolver.cancel();
    };
    const timer = setTimeout(end, patienceMs);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
    try {
      return await task(lookupsOf(resolver, over.signal));
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  }

  return {
    ask,
    async shortHostAddresses() {
      if (isIP(literal) !== 0) return [literal];
      const now = clock().getTime();
      if (asked === null || now >= asked.until) {
        const question = { answer: ask(({ addresses }) => addresses(hostname)), until: now + rememberMs };
        asked = question;
        const answer = await question.answer;
        if (answer === null) question.until = now + pauseMs;
        else known = answer;
      }
      return (await asked.answer) ?? known;
    },
  };
}

function lookupsOf(resolver: Resolver, over: AbortSignal): Lookups {
  async function found(answer: () => Promise<string[]>): Promise<Found> {
    if (over.aborted) return null;
    try {
      return await answer();
    } catch (error) {
      return nothing.has((error as NodeJS.ErrnoException).code ?? "") ? [] : null;
    }
  }

  return {
    texts: (name) => found(async () => (await resolver.resolveTxt(name)).map((parts) => parts.join(""))),
    async aliases(name) {
      const chain: string[] = [];
      while (chain.length < mostAliases) {
        const next = await found(() => resolver.resolveCname(chain.at(-1) ?? name));
        if (next === null) return null;
        if (next[0] === undefined) break;
        chain.push(next[0].toLowerCase().replace(/\.$/, ""));
      }
      return chain;
    },
    async addresses(name) {
      const [v4, v6] = await Promise.all([
        found(() => resolver.resolve4(name)),
        found(() => resolver.resolve6(name)),
      ]);
      return v4 && v6 && [...v4, ...v6];
    },
  };
}
