import { get, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { names, node, ports, three } from "./addresses.ts";
import { Client } from "./client.ts";

const cachedLinks = 20;
/** In one request, the most that the API accepts */
const atOnce = 1000;

/** The links that visitors follow: some again and again, which every node has in its cache, and others once each. */
export class Links {
  readonly cached: string[] = [];
  #fresh: string[] = [];
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** Creates what is missing so that `fresh` links can be followed once each, and lets every node cache the others. */
  async prepare(fresh: number): Promise<void> {
    if (this.cached.length === 0) this.cached.push(...(await this.#create(cachedLinks)));
    while (this.#fresh.length < fresh) this.#fresh.push(...(await this.#create(atOnce)));
    for (const number of three) {
      for (const slug of this.cached) {
        const host = `${names.short}:${ports.https}`;
        const options = { host: node(number), port: ports.short, path: `/${slug}`, headers: { Host: host } };
        const [answer] = (await once(get(options), "response")) as [IncomingMessage];
        answer.resume();
      }
    }
  }

  /** A link that nobody has followed */
  takeFresh(): string {
    const slug = this.#fresh.pop();
    if (slug === undefined) throw new Error("The fault took so long that all links were followed");
    return slug;
  }

  async #create(count: number): Promise<string[]> {
    const client = new Client(0);
    const links = Array.from({ length: count }, () => ({ url: "https://example.com/" }));
    const body = { links, on_error: "stop" };
    const { status, text } = await client.post("/v1/links/bulk/create", this.#key, body);
    client.close();
    if (status !== 201) throw new Error(`Links cannot be created: ${status} ${text}`);
    const { data } = JSON.parse(text) as { data: { results: { slug: string }[] } };
    return data.results.map(({ slug }) => slug);
  }
}
