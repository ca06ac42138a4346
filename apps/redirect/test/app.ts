import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Core, CoreOptions } from "@terse/core";
import { createTestCore, type TestCore } from "@terse/core/testing";
import { createLogger, listen, type Listener, type Settings } from "@terse/server";
import { browserUserAgent } from "@terse/testkit";
import { createRedirectApp, type RedirectApp, redirectListenOptions } from "../src/index.ts";

type AppSettings = Pick<Settings, "SHORT_BASE" | "TRUSTED_PROXIES"> &
  Partial<Pick<Settings, "ABUSE_CONTACT" | "ROOT_URL">>;
type Caller = ReturnType<Core["caller"]>;
type NewLink = Parameters<Caller["links"]["create"]>[0];
type NewBucket = Parameters<Caller["buckets"]["create"]>[0];
type LinkChanges = Parameters<ReturnType<Core["caller"]>["links"]["update"]>[0];

/** A link of a Pro account. */
export interface TestLink {
  readonly id: string;
  readonly slug: string;
  clicks(): Promise<number>;
  fallbacks(): Promise<number>;
  switchOff(): Promise<unknown>;
  update(changes: Omit<LinkChanges, "id">): Promise<unknown>;
}

/** A bucket of the same account. */
export interface TestBucket {
  readonly id: string;
  readonly slug: string;
  stats(): ReturnType<Caller["buckets"]["stats"]>;
  /** Returns the image's address. */
  setAvatar(image: Buffer): Promise<string>;
}

/** The short-link host on its own test database, called with and without sockets. */
export interface TestApp extends TestCore {
  /** How many requests the hot path has left to the app */
  left(): number;
  /** Logged lines as objects */
  readonly lines: Record<string, unknown>[];
  /** Requests `short.test`, or the host in `headers`; redirects are not followed. */
  get(path: string, init?: RequestInit): Promise<Response>;
  /** The same, from a peer with this address. */
  from(address: string, path: string, init?: RequestInit): Promise<Response>;
  /** Submits the password form. */
  post(path: string, password: string, init?: RequestInit): Promise<Response>;
  link(input?: Partial<NewLink>): Promise<TestLink>;
  bucket(input?: Partial<NewBucket>): Promise<TestBucket>;
  /** Serves on a free local port as the service does, with the hot path and change notifications. */
  serve(): Promise<Listener>;
}

/** Lets the app answer a request as if it had come over a socket from this address. */
async function requestOf(app: RedirectApp, request: Request, address?: string): Promise<Response> {
  const body = Buffer.from(await request.arrayBuffer());
  const incoming = Object.assign(Readable.from(body.length > 0 ? [body] : []), {
    method: request.method,
    url: request.url.slice(request.url.indexOf("/", "http://".length)),
    rawHeaders: [...request.headers].flat(),
    socket: { remoteAddress: address },
  });
  const answer = await app(incoming as unknown as Parameters<RedirectApp>[0]);
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  return new Response(request.method === "HEAD" ? null : answer.body, { status: answer.status, headers });
}

/** Creates the app on a given core, and collects its log. */
export function createApp(core: Core, settings: Partial<AppSettings> = {}) {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    level: "info",
    destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const all = { SHORT_BASE: "http://short.test", TRUSTED_PROXIES: [], ...settings };
  const app = createRedirectApp({ core, settings: all, logger });
  const ask = async (path: string, init?: RequestInit, address?: string) => {
    const headers = new Headers(init?.headers);
    if (!headers.has("host")) headers.set("host", "short.test");
    if (!headers.has("user-agent")) headers.set("user-agent", browserUserAgent);
    return requestOf(app, new Request(`http://short.test${path}`, { ...init, headers }), address);
  };
  const get: TestApp["get"] = (path, init) => ask(path, init);
  const from: TestApp["from"] = (address, path, init) => ask(path, init, address);
  return { lines, logger, settings: all, get, from };
}

/** Creates the app on a test database; `close` stops everything that was started with it. */
export async function createTestApp(
  settings: Partial<AppSettings> = {},
  options: Partial<CoreOptions> = {},
): Promise<TestApp> {
  const shortBase = settings.SHORT_BASE ?? "http://short.test";
  const test = await createTestCore({ shortBase, ...options });
  const { lines, logger, settings: all, get, from } = createApp(test.core, settings);
  const owner = test.core.caller(await test.actor("pro"));
  const listeners: Listener[] = [];
  let left = 0;

  return {
    ...test,
    left: () => left,
    lines,
    get,
    from,
    post: (path, password, init) =>
      get(path, { ...init, method: "POST", body: new URLSearchParams({ password }) }),
    async link(input = {}) {
      const { id, slug } = await owner.links.create({ url: "https://example.com/there", ...input });
      return {
        id,
        slug,
        clicks: async () => (await owner.links.get({ id })).click_count,
        fallbacks: async () => (await owner.links.get({ id })).fallbacks,
        update: (changes) => owner.links.update({ id, ...changes }),
        switchOff: () => owner.links.update({ id, is_active: 0 }),
      };
    },
    async bucket(input) {
      const links = [{ title: "A link", url: "https://example.com/there" }];
      const { id, slug } = await owner.buckets.create({ name: "A page", links, ...input });
      return {
        id,
        slug,
        stats: () => owner.buckets.stats({ id }),
        async setAvatar(image) {
          const { avatar_url } = await owner.buckets.setAvatar({ id, image: image.toString("base64") });
          return avatar_url ?? "";
        },
      };
    },
    async serve() {
      const { redirects } = test.core;
      redirects.watch();
      while (!redirects.stats().watched) await sleep(5);
      const service = redirectListenOptions({ core: test.core, settings: all, logger });
      const listener = await listen({
        ...service,
        requestListener: (request, response, next) =>
          service.requestListener?.(request, response, () => {
            left++;
            next();
          }),
        host: "127.0.0.1",
        port: 0,
        logger,
      });
      listeners.push(listener);
      return listener;
    },
    async close() {
      await Promise.all(listeners.map((listener) => listener.close(0)));
      await test.close();
    },
  };
}
