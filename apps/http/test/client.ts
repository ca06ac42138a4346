import type { ConsoleFiles } from "@terse/console";
import {
  type AppRouter,
  type Core,
  type CoreOptions,
  type Definition,
  definitionOf,
  type Link,
  proceduresOf,
} from "@terse/core";
import { createTestCore, type TestCore } from "@terse/core/testing";
import { createLogger, listen, type Listener, type OAuthProvider } from "@terse/server";
import { afterAll } from "vitest";
import { createHttpApp } from "../src/index.ts";

export const baseUrl = "http://api.test";

/** What a request carries besides its method and path. */
export interface Ask {
  /** Bearer API key */
  key?: string | undefined;
  /** Value of the `session` cookie */
  cookie?: string | undefined;
  /** Sent as JSON */
  json?: unknown;
  /** Sent unchanged instead, as application/json unless a header says otherwise */
  body?: NonNullable<RequestInit["body"]>;
  headers?: Record<string, string>;
  /** The peer's IP address */
  address?: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body; undefined if it is not JSON */
  json: unknown;
}

export interface TestApp extends TestCore {
  ask(method: string, path: string, ask?: Ask): Promise<Answer>;
  /** The same over tRPC, as any HTTP client would: queries by GET, mutations by POST. */
  askTrpc(procedure: string, input: unknown, ask?: Ask): Promise<Answer>;
  /** A query over tRPC as httpBatchStreamLink asks it: the answer is lines of JSON. */
  askTrpcStream(procedure: string, input: unknown, ask?: Ask): Promise<Answer>;
  fetch: typeof fetch;
  /** The lines of the log so far */
  log: string[];
  app: ReturnType<typeof createHttpApp>;
  /** Serves the app on a free port; the caller closes the listener. */
  listen(): Promise<Listener>;
}

export interface AppOptions {
  trustedProxies?: string[];
  providers?: OAuthProvider[];
  base?: string;
  mcpUrl?: string;
  /** Serves the console at `/` */
  console?: ConsoleFiles;
  abuseContact?: string;
}

/** Listens before the app exists, since the app has to know its public address. The caller closes the listener. */
export const listenFirst = (app: () => TestApp): Promise<Listener> =>
  listen({
    name: "http",
    app: { fetch: (request, env) => app().app.fetch(request, env) },
    host: "127.0.0.1",
    port: 0,
    portSetting: "HTTP_PORT",
    logger: createLogger({ level: "silent" }),
  });

interface TestPool {
  query(text: string, values?: unknown[]): Promise<unknown>;
  connect(): Promise<{ query(text: string, values?: unknown[]): Promise<unknown>; release(): void }>;
}

/** The connections of an app's core to its database. */
export const poolOf = (app: TestApp): TestPool =>
  (app.core.createContext({ kind: "anonymous" }).deps as { pool: TestPool }).pool;

const settings = {
  BASE_URL: baseUrl,
  SHORT_BASE: "http://short.test",
  MCP_URL: "http://mcp.test",
  TRUSTED_PROXIES: [],
  OAUTH_PROVIDERS: [],
  ABUSE_CONTACT: null,
};

/** The app on a core of the caller's, such as that of another node. */
export const appOn = (core: Core) =>
  createHttpApp({ core, settings, logger: createLogger({ level: "silent" }) });

/** The app on a database of its own, closed after the tests of the file. */
export async function startApp(options: Partial<CoreOptions> & AppOptions = {}): Promise<TestApp> {
  const {
    trustedProxies = [],
    providers = [],
    base = baseUrl,
    abuseContact = settings.ABUSE_CONTACT,
    console,
    mcpUrl = settings.MCP_URL,
    ...coreOptions
  } = options;
  const testCore = await createTestCore({ baseUrl: base, ...coreOptions });
  afterAll(() => testCore.close());
  const log: string[] = [];
  const app = createHttpApp({
    core: testCore.core,
    ...(console && { console }),
    settings: {
      BASE_URL: base,
      SHORT_BASE: coreOptions.shortBase ?? settings.SHORT_BASE,
      MCP_URL: mcpUrl,
      TRUSTED_PROXIES: trustedProxies,
      OAUTH_PROVIDERS: providers,
      ABUSE_CONTACT: abuseContact,
      GROUP_ROLES: options.groupRoles ?? [],
    },
    logger: createLogger({ level: "info", destination: { write: (line) => log.push(line) } }),
  });

  async function ask(method: string, path: string, what: Ask = {}): Promise<Answer> {
    const body = what.body ?? ("json" in what ? JSON.stringify(what.json) : undefined);
    const headers = new Headers({
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(what.key !== undefined && { Authorization: `Bearer ${what.key}` }),
      ...(what.cookie !== undefined && { Cookie: `session=${what.cookie}` }),
      ...what.headers,
    });
    const request = new Request(base + path, {
      method,
      headers,
      ...(body !== undefined && { body, duplex: "half" }),
    });
    const env = what.address && { incoming: { socket: { remoteAddress: what.address } } };
    const response = await app.request(request, undefined, env);
    return read(response);
  }

  const address = { host: "127.0.0.1", port: 0, portSetting: "HTTP_PORT" };
  return {
    ...testCore,
    app,
    listen: () => listen({ name: "http", app, ...address }),
    log,
    ask,
    askTrpc: (procedure, input, what = {}) =>
      definitionsOf(testCore.core.router)[procedure]?.type === "query"
        ? ask("GET", `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input ?? {}))}`, what)
        : ask("POST", `/trpc/${procedure}`, { ...what, json: input }),
    askTrpcStream: (procedure, input, what = {}) =>
      ask(
        "GET",
        `/trpc/${procedure}?batch=1&input=${encodeURIComponent(JSON.stringify({ 0: input ?? {} }))}`,
        { ...what, headers: { ...what.headers, "trpc-accept": "application/jsonl" } },
      ),
    fetch: async (input, init) => app.request(input, init),
  };
}

export async function read(response: Response): Promise<Answer> {
  const isEvents = response.headers.get("content-type")?.startsWith("text/event-stream");
  const text = isEvents ? await firstEvent(response) : await response.text();
  const isLines = response.headers.get("transfer-encoding") === "chunked";
  const isJson =
    response.headers.get("content-type")?.startsWith("application/json") && text !== "" && !isLines;
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  return { status: response.status, headers: response.headers, text, json };
}

/** A stream of events need not end. */
async function firstEvent({ body }: Response): Promise<string> {
  let text = "";
  for await (const piece of body ?? []) {
    text += new TextDecoder().decode(piece);
    if (text.includes("\n\n")) break;
  }
  return text;
}

/** The link of a success answer */
export const linkOf = (answer: Answer): Link => (answer.json as { data: Link }).data;

/** The message of a refusal, over REST or tRPC */
export function errorOf(answer: Answer): string {
  const { error } = answer.json as { error: string | { message: string } };
  return typeof error === "string" ? error : error.message;
}

const definitions = new WeakMap<AppRouter, Record<string, Definition>>();

/** Every procedure of the router by its dotted name */
export function definitionsOf(router: AppRouter): Record<string, Definition> {
  const known =
    definitions.get(router) ??
    Object.fromEntries(proceduresOf(router).map(([name, procedure]) => [name, definitionOf(procedure)]));
  definitions.set(router, known);
  return known;
}
