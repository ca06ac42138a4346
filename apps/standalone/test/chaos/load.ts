import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { browserUserAgent as person } from "@terse/testkit";

const robot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";

/** What became of requests. Those that found nobody listening were never sent and are in no sum. */
export interface Sums {
  /** Redirects that arrived whole */
  answered: number;
  /** Answers that never arrived, or not whole: whether the click was logged before, nobody can tell from here */
  cut: number;
  /** Answers with 503 */
  refused: number;
  /** Any other answer */
  other: number;
}

const nothing = (): Sums => ({ answered: 0, cut: 0, refused: 0, other: 0 });

export interface LoadOptions {
  /** Keep-alive connections, each asking as fast as it is answered; default 16. One in eight is a crawler's. */
  connections?: number;
  /** Milliseconds that a connection waits after each answer; default 0 */
  pauseMs?: number;
}

/** People and crawlers who follow short links on this machine until they are stopped. */
export class Load {
  readonly people = nothing();
  readonly bots = nothing();
  readonly #stopping = new AbortController();
  readonly #ended: Promise<unknown>;

  constructor(urls: readonly string[], { connections = 16, pauseMs = 0 }: LoadOptions = {}) {
    const clients = Array.from({ length: connections }, (_, at) => this.#follow(urls, at, pauseMs));
    this.#ended = Promise.all(clients);
  }

  get answered(): number {
    return this.people.answered + this.bots.answered;
  }

  /** Asks nothing more, and waits for the answers under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #follow(urls: readonly string[], client: number, pauseMs: number): Promise<void> {
    const isBot = client % 8 === 7;
    const sums = isBot ? this.bots : this.people;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let at = client; !this.#stopping.signal.aborted; at++) {
      const result = await ask(urls[at % urls.length] ?? "", agent, isBot ? robot : person);
      if (result !== "unsent") sums[result] += 1;
      if (result === "unsent" || result === "cut") await sleep(10);
      else if (pauseMs > 0) await sleep(pauseMs);
    }
    agent.destroy();
  }
}

/** One request; an answer counts when its last byte is here. */
function ask(url: string, agent: Agent, userAgent: string): Promise<keyof Sums | "unsent"> {
  return new Promise((resolve) => {
    const asked = request(url, { agent, headers: { "User-Agent": userAgent } }, (answer) => {
      const { statusCode } = answer;
      const kind = statusCode === 302 ? "answered" : statusCode === 503 ? "refused" : "other";
      answer.on("end", () => resolve(kind)).on("error", () => resolve("cut"));
      answer.resume();
    });
    asked.setTimeout(20_000, () => asked.destroy());
    asked.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ECONNREFUSED" ? "unsent" : "cut");
    });
    asked.end();
  });
}
