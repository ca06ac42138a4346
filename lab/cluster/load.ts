import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, Client } from "./client.ts";
import type { Links } from "./links.ts";

/** Keep-alive clients of each kind, and how long each waits after an answer */
const visitors = { count: 8, pauseMs: 40 };
const strangers = { count: 2, pauseMs: 100 };
const authors = { count: 2, pauseMs: 150 };

/** How requests of one kind ended. */
export interface Tally {
  answered: number;
  failed: number;
  /** The longest that one took, in milliseconds */
  slowestMs: number;
}

const nothing = (): Tally => ({ answered: 0, failed: 0, slowestMs: 0 });

/** People who follow short links and create new ones through the proxies, until they are stopped. */
export class Load {
  /** Of links that every node has in its cache */
  readonly cached = nothing();
  /** Of links that nobody has followed before */
  readonly uncached = nothing();
  readonly creations = nothing();
  /** Slugs of links that were answered as created */
  readonly created: string[] = [];
  /** By what went wrong: how often it did, and when, in seconds since the start */
  readonly #failures = new Map<string, { count: number; first: number; last: number }>();
  readonly #clients: Client[] = [];
  readonly #stopping = new AbortController();
  readonly #authorsStopping = new AbortController();
  readonly #ended: Promise<unknown>;
  readonly #started = performance.now();

  constructor(links: Links, key: string) {
    const { cached } = links;
    const follow =
      (tally: Tally, what: string, slugOf: (at: number) => string) => (client: Client, at: number) =>
        this.#measure(tally, what, 302, () => client.follow(slugOf(at)));
    const visit = follow(this.cached, "cached redirect", (at) => cached[at % cached.length] ?? "");
    const explore = follow(this.uncached, "uncached redirect", () => links.takeFresh());
    const create = async (client: Client) => {
      const send = () => client.post("/v1/links", key, { url: "https://example.com/created" });
      const { status, text } = await this.#measure(this.creations, "creation", 201, send);
      if (status === 201) this.created.push((JSON.parse(text) as { data: { slug: string } }).data.slug);
    };
    const { signal } = this.#stopping;
    this.#ended = Promise.all([
      ...this.#start(visitors, signal, visit),
      ...this.#start(strangers, signal, explore),
      ...this.#start(authors, AbortSignal.any([signal, this.#authorsStopping.signal]), create),
    ]);
    // `stop` reports it.
    this.#ended.catch(() => {});
  }

  /** Clicks that may have been counted without an answer */
  get uncertain(): number {
    const resent = this.#clients.reduce((sum, client) => sum + client.resent, 0);
    return this.cached.failed + this.uncached.failed + resent;
  }

  /** From the first failure to the last */
  get seconds(): number {
    const failures = [...this.#failures.values()];
    if (failures.length === 0) return 0;
    return Math.max(...failures.map(({ last }) => last)) - Math.min(...failures.map(({ first }) => first));
  }

  /** What went wrong, one line each */
  get complaints(): string[] {
    return Array.from(this.#failures, ([what, { count, first, last }]) => {
      const times = count === 1 ? "" : ` to ${last.toFixed(1)} s, ${count} times`;
      return `at ${first.toFixed(1)} s${times}: ${what}`;
    });
  }

  /** Nobody creates links from now on. */
  stopAuthors(): void {
    this.#authorsStopping.abort();
  }

  /** Sends no more requests, and waits for pending answers. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  #start(
    { count, pauseMs }: { count: number; pauseMs: number },
    signal: AbortSignal,
    work: (client: Client, at: number) => Promise<unknown>,
  ): Promise<void>[] {
    return Array.from({ length: count }, async (_, number) => {
      const client = new Client(number);
      this.#clients.push(client);
      for (let at = number; !signal.aborted; at++) {
        await work(client, at);
        await sleep(pauseMs);
      }
      client.close();
    });
  }

  async #measure(tally: Tally, what: string, expected: number, send: () => Promise<Answer>): Promise<Answer> {
    const sent = performance.now();
    const answer = await send();
    const ended = performance.now();
    tally.slowestMs = Math.max(tally.slowestMs, ended - sent);
    if (answer.status === expected) tally.answered += 1;
    else {
      tally.failed += 1;
      const kind = `${what}: ${answer.status} ${answer.text.replaceAll(/\s+/g, " ").slice(0, 160)}`;
      const at = (ended - this.#started) / 1000;
      const { count, first } = this.#failures.get(kind) ?? { count: 0, first: at };
      this.#failures.set(kind, { count: count + 1, first, last: at });
    }
    return answer;
  }
}
