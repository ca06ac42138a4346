import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CoreOptions, Plan } from "@terse/core";
import { createTestCore, type TestCore } from "@terse/core/testing";
import { createHttpApp } from "@terse/http";
import { createLogger, listen, type Listener } from "@terse/server";
import { afterAll } from "vitest";
import { createMcpApp } from "../src/index.ts";

/** What both versions of the official client have in common, as far as the tests use it */
export interface AnyClient {
  listTools(): Promise<{ tools: ListedTool[] }>;
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    schema?: undefined,
    options?: { signal: AbortSignal },
  ): Promise<ToolResult>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}
export interface ListedTool {
  name: string;
  inputSchema: object;
  outputSchema?: object;
  [field: string]: unknown;
}
export interface ToolResult {
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface TestApp extends TestCore {
  url: URL;
  app: ReturnType<typeof createMcpApp>;
  log: string[];
  listener: Listener;
  /** The client of the current SDK, which speaks 2026-07-28, or of the old one, which speaks 2025-11-25 */
  connect(key: string, line?: "new" | "old", path?: string): Promise<AnyClient>;
  newClient(key: string, path?: string): Promise<Client>;
  /** REST's answer to the same account */
  rest(
    key: string,
    method: string,
    path: string,
  ): Promise<{ status: number; data: Record<string, unknown>; meta: object; text: string }>;
  /** POSTs a message, without the SDK. */
  post(body: unknown, headers?: Record<string, string>, path?: string): Promise<Response>;
  someKey(plan?: Plan): Promise<string>;
}

/** The core's clock: no midnight between a call and its check. */
export const now = new Date();

/** The sentence for people, or the message of a refusal */
export const textOf = (answer: ToolResult): string => answer.content[0]?.text ?? "";

export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** A tool call of a protocol revision before 2026, without the SDK */
export const callOf = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});

const info = { name: "test", version: "1.0.0" };

export async function startApp(options: Partial<CoreOptions> = {}): Promise<TestApp> {
  const test = await createTestCore({ clock: () => now, ...options });
  const log: string[] = [];
  const logger = createLogger({ level: "info", destination: { write: (line) => log.push(line) } });
  const settings = {
    MCP_URL: "http://mcp.test",
    BASE_URL: "http://api.test",
    SHORT_BASE: "http://short.test",
    TRUSTED_PROXIES: [],
    OAUTH_PROVIDERS: [],
  };
  const app = createMcpApp({ core: test.core, settings, logger });
  const api = createHttpApp({ core: test.core, settings, logger });
  const listener = await listen({
    name: "mcp",
    app,
    host: "127.0.0.1",
    port: 0,
    portSetting: "MCP_PORT",
    logger,
  });
  const open: AnyClient[] = [];
  afterAll(async () => {
    await Promise.all(open.map((client) => client.close()));
    await listener.close(100);
    await test.close();
  });
  const url = new URL(`${listener.url}/mcp`);

  async function newClient(key: string, path = "/mcp") {
    const client = new Client(info, { versionNegotiation: { mode: "auto" } });
    const to = new URL(path, url);
    await client.connect(new StreamableHTTPClientTransport(to, { requestInit: { headers: bearer(key) } }));
    open.push(client as unknown as AnyClient);
    return client;
  }
  async function oldClient(key: string) {
    const client = new OldClient(info);
    await client.connect(new OldTransport(url, { requestInit: { headers: bearer(key) } }));
    open.push(client as unknown as AnyClient);
    return client;
  }

  return {
    ...test,
    url,
    app,
    log,
    listener,
    newClient,
    async connect(key, line = "new", path = "/mcp") {
      if (line === "old") return (await oldClient(key)) as unknown as AnyClient;
      const client = await newClient(key, path);
      return {
        listTools: () => client.listTools(),
        callTool: (params, _schema, cancel) => client.callTool(params, cancel),
        getInstructions: () => client.getInstructions(),
        close: () => client.close(),
      } as AnyClient;
    },
    async rest(key, method, path) {
      const response = await api.request(path, { method, headers: bearer(key) });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      return { status: response.status, text, ...(isJson && JSON.parse(text)) };
    },
    post: (body, headers = {}, path = "/mcp") =>
      fetch(new URL(path, url), {
        method: "POST",
        headers: {
          "Content-Type": "application/json",
          Accept: "application/json, text/event-stream",
          ...headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    someKey: async (plan = "pro") => (await test.key(plan)).key,
  };
}
