import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { browserUserAgent } from "@terse/testkit";

const crawlerUserAgent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/** Requests by outcome. Refused connections are in none of them: those requests were never sent. */
export interface Outcomes {
  /** Complete redirects */
  answered: number;
  /** Responses that were missing or incomplete; their clicks may or may not have been logged */
  cut: number;
  /** Responses with 503 */
  refused: number;
  /** Any other response */
  other: number;
}

const noOutcomes = (): Outcomes => ({ answered: 0, cut: 0, refused: 0, other: 0 });

export interface LoadOptions {
  /** Keep-alive connections, each sending requests one after another; default 16. Every eighth is a crawler's. */
  connections?: number;
  /** Milliseconds that a connection waits after each response; default 0 */
  pauseMs?: number;
}

/** Simulates people and crawlers that follow short links until stopped. */
export class Load {
  readonly people = noOutcomes();
  readonly bots = noOutcomes();
  readonly #stopping = new AbortController();
  readonly #ended: Promise<unknown>;

  constructor(urls: readonly string[], { connections = 16, pauseMs = 0 }: LoadOptions = {}) {
    const clients = Array.from({ length: connections }, (_, at) => this.#follow(urls, at, pauseMs));
    this.#ended = Promise.all(clients);
  }

  get answered(): number {
    return this.people.answered + this.bots.answered;
  }

  /** Sends no more requests, and waits for pending responses. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #follow(urls: readonly string[], client: number, pauseMs: number): Promise<void> {
    const isBot = client % 8 === 7;
    const outcomes = isBot ? this.bots : this.people;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let at = client; !this.#stopping.signal.aborted; at++) {
      const result = await send(
        urls[at % urls.length] ?? "",
        agent,
        isBot ? crawlerUserAgent : browserUserAgent,
      );
      if (result !== "unsent") outcomes[result] += 1;
      if (result === "unsent" || result === "cut") await sleep(10);
      else if (pauseMs > 0) await sleep(pauseMs);
    }
    agent.destroy();
  }
}

/** Sends one request; a response counts once its last byte has arrived. */
function send(url: string, agent: Agent, userAgent: string): Promise<keyof Outcomes | "unsent"> {
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers: { "User-Agent": userAgent } }, (answer) => {
      const { statusCode } = answer;
      const kind = statusCode === 302 ? "answered" : statusCode === 503 ? "refused" : "other";
      answer.on("end", () => resolve(kind)).on("error", () => resolve("cut"));
      answer.resume();
    });
    sent.setTimeout(20_000, () => sent.destroy());
    sent.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ECONNREFUSED" ? "unsent" : "cut");
    });
    sent.end();
  });
}
