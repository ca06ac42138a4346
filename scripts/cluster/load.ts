import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { browserUserAgent } from "../../packages/testkit/src/index.ts";
import { apiUrl } from "./cluster.ts";

const timeoutMs = 15_000;
/** Keep-alive clients of each kind, and how long each waits after an answer */
const visitors = { count: 8, pauseMs: 40 };
const authors = { count: 2, pauseMs: 150 };

/** People who follow short links and create new ones through the proxy, until they are stopped. */
export class Load {
  redirects = 0;
  failedRedirects = 0;
  /** Slugs of links that were answered as created */
  readonly created: string[] = [];
  failedCreations = 0;
  /** The first answers that were not as they should be */
  readonly complaints: string[] = [];
  #failures: number[] = [];
  #key: string;
  #stopping = new AbortController();
  #ended: Promise<unknown>;

  constructor(urls: readonly string[], key: string) {
    this.#key = key;
    const of = (count: number, client: (at: number) => Promise<void>) =>
      Array.from({ length: count }, (_, at) => client(at));
    this.#ended = Promise.all([
      ...of(visitors.count, (at) => this.#follow(urls, at)),
      ...of(authors.count, () => this.#create()),
    ]);
  }

  /** From the first failure to the last */
  get seconds(): number {
    const [first, last] = [this.#failures[0], this.#failures.at(-1)];
    return first === undefined || last === undefined ? 0 : (last - first) / 1000;
  }

  /** Sends no more requests, and waits for pending answers. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #follow(urls: readonly string[], client: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let at = client; !this.#stopping.signal.aborted; at++) {
      const { status, text } = await send("GET", urls[at % urls.length] ?? "", agent);
      if (status === 302) this.redirects += 1;
      else {
        this.failedRedirects += 1;
        this.#fail(`redirect: ${status} ${text}`);
      }
      await sleep(visitors.pauseMs);
    }
    agent.destroy();
  }

  async #create(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify({ url: "https://example.com/created" });
    while (!this.#stopping.signal.aborted) {
      const { status, text } = await send("POST", `${apiUrl}/v1/links`, agent, { key: this.#key, body });
      if (status === 201) this.created.push((JSON.parse(text) as { data: { slug: string } }).data.slug);
      else {
        this.failedCreations += 1;
        this.#fail(`creation: ${status} ${text}`);
      }
      await sleep(authors.pauseMs);
    }
    agent.destroy();
  }

  #fail(what: string): void {
    this.#failures.push(performance.now());
    if (this.complaints.length < 5) this.complaints.push(what.slice(0, 200));
  }
}

/** The answer to one request; status 0 if there was none. */
function send(
  method: string,
  url: string,
  agent: Agent,
  { key, body }: { key?: string; body?: string } = {},
): Promise<{ status: number; text: string }> {
  const headers = {
    "User-Agent": browserUserAgent,
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ status: 0, text: error.message });
    const sent = request(url, { method, agent, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text })).on("error", fail);
    });
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error("no answer")));
    sent.on("error", fail);
    sent.end(body);
  });
}
