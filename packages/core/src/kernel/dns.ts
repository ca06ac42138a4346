import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import type { ShortHost } from "./host-names.ts";
import { noTracer, type Tracer } from "./tracer.ts";

/** The records that were found, empty if there are none; null if no resolver gave a valid answer. */
export type Found = string[] | null;

export interface Lookups {
  /** TXT records; the strings of each are joined (RFC 1035 section 3.3.14) */
  texts(name: string): Promise<Found>;
  /** The chain of CNAME targets, in lower case */
  aliases(name: string): Promise<Found>;
  /** Host names of the name servers, in lower case */
  nameServers(name: string): Promise<Found>;
  /** IPv4 and IPv6 addresses; CNAME records are followed */
  addresses(name: string): Promise<Found>;
}

export interface Dns {
  /** Runs a task with look-ups that end after 3.5 seconds, or when `signal` is aborted. */
  ask<T>(task: (lookups: Lookups) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The addresses of the short-link host; cached for a minute, and while resolvers do not answer. */
  shortHostAddresses(): Promise<Found>;
}

/** Short enough that a request that waits for it answers within five seconds */
const timeoutMs = 3500;
/** Milliseconds until the next resolver is asked; all are asked twice if the time allows. */
const resolverOptions = { timeout: 1000, tries: 2 };
const maxAliases = 8;
const cacheMs = 60_000;
/** Milliseconds until the next query after one without an answer */
const pauseMs = 15_000;

/** These codes mean that the name or its records do not exist; all others mean that there was no answer. */
const nothing = new Set(["ENOTFOUND", "ENODATA"]);

/** Looks names up at the given resolvers (addresses with optional ports), or at the system's if the list is empty. */
export function createDns(
  servers: readonly string[],
  { hostname }: ShortHost,
  clock: () => Date,
  tracer: Tracer = noTracer,
): Dns {
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  let known: Found = null;
  let asked: { answer: Promise<Found>; until: number } | null = null;

  async function ask<T>(task: (lookups: Lookups) => Promise<T>, signal?: AbortSignal): Promise<T> {
    // A new resolver has no state from earlier queries and can be cancelled alone.
    const resolver = new Resolver(resolverOptions);
    if (servers.length > 0) resolver.setServers(servers);
    const done = new AbortController();
    const end = () => {
      done.abort();
      resolver.cancel();
    };
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
    try {
      return await task(lookupsOf(resolver, done.signal, tracer));
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
        const question = { answer: ask(({ addresses }) => addresses(hostname)), until: now + cacheMs };
        asked = question;
        const answer = await question.answer;
        if (answer === null) question.until = now + pauseMs;
        else known = answer;
      }
      return (await asked.answer) ?? known;
    },
  };
}

function lookupsOf(resolver: Resolver, done: AbortSignal, tracer: Tracer): Lookups {
  async function found(type: string, answer: () => Promise<string[]>): Promise<Found> {
    if (done.aborted) return null;
    const end = tracer.begin(`dns ${type}`, { kind: "client" });
    try {
      const records = await answer();
      end?.(null);
      return records;
    } catch (error) {
      const isNothing = nothing.has((error as NodeJS.ErrnoException).code ?? "");
      end?.(isNothing ? null : error);
      return isNothing ? [] : null;
    }
  }

  return {
    texts: (name) =>
      found("TXT", async () => (await resolver.resolveTxt(name)).map((parts) => parts.join(""))),
    async aliases(name) {
      const chain: string[] = [];
      while (chain.length < maxAliases) {
        const next = await found("CNAME", () => resolver.resolveCname(chain.at(-1) ?? name));
        if (next === null) return null;
        if (next[0] === undefined) break;
        chain.push(next[0].toLowerCase().replace(/\.$/, ""));
      }
      return chain;
    },
    nameServers: (name) =>
      found("NS", async () =>
        (await resolver.resolveNs(name)).map((host) => host.toLowerCase().replace(/\.$/, "")),
      ),
    async addresses(name) {
      const [v4, v6] = await Promise.all([
        found("A", () => resolver.resolve4(name)),
        found("AAAA", () => resolver.resolve6(name)),
      ]);
      return v4 && v6 && [...v4, ...v6];
    },
  };
}
