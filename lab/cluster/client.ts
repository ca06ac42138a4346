import { Agent, request } from "node:https";
import { browserUserAgent } from "../../packages/testkit/src/index.ts";
import { names, type Number2, ports, proxy, two } from "./addresses.ts";

const timeoutMs = 15_000;

export interface Answer {
  /** 0 if there was none */
  status: number;
  /** The body; what went wrong if there was no answer */
  text: string;
}

interface Sent {
  method?: "GET" | "POST";
  host: string;
  path: string;
  key?: string;
  body?: string;
}

/**
 * Speaks to the service as a browser does. The names have the addresses of both proxies: if one refuses connections, it
 * takes the other. A GET on a connection that was open before, and is reset without an answer, is sent once more
 * (RFC 9112, section 9.3.1).
 */
export class Client {
  /** Requests that were sent once more: the first one may have counted */
  resent = 0;
  readonly #addresses: readonly Number2[];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

  /** `first` decides which address it tries first. */
  constructor(first: number) {
    this.#addresses = first % 2 === 0 ? two : two.toReversed();
  }

  /** Follows a short link. */
  follow(slug: string): Promise<Answer> {
    return this.#send({ host: names.short, path: `/${slug}` });
  }

  post(path: string, key: string, body: unknown): Promise<Answer> {
    return this.#send({ method: "POST", host: names.api, path, key, body: JSON.stringify(body) });
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(sent: Sent): Promise<Answer> {
    let answer: Answer = { status: 0, text: "" };
    for (const number of this.#addresses) {
      const outcome = await this.#try(proxy(number), sent);
      if ("status" in outcome) return outcome;
      answer = { status: 0, text: outcome.error.message };
      const { code } = outcome.error as NodeJS.ErrnoException;
      const isUnanswered = outcome.isReused && code === "ECONNRESET" && sent.method !== "POST";
      if (code !== "ECONNREFUSED" && !isUnanswered) break;
      if (isUnanswered) this.resent += 1;
    }
    return answer;
  }

  #try(
    address: string,
    { method = "GET", host, path, key, body }: Sent,
  ): Promise<Answer | { error: Error; isReused: boolean }> {
    const headers = {
      Host: `${host}:${ports.https}`,
      "User-Agent": browserUserAgent,
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "Content-Type": "application/json" }),
    };
    return new Promise((resolve) => {
      const options = { host: address, port: ports.https, servername: host, path, method, headers };
      const sent = request({ ...options, agent: this.#agent }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => (text += part));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text })).on("error", fail);
      });
      const fail = (error: Error) => resolve({ error, isReused: sent.reusedSocket });
      sent.setTimeout(timeoutMs, () => sent.destroy(new Error("no answer")));
      sent.on("error", fail);
      sent.end(body);
    });
  }
}
