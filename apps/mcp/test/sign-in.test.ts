import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createTestCore } from "@terse/core/testing";
import { createHttpApp } from "@terse/http";
import { createLogger, listen } from "@terse/server";
import { until } from "@terse/testkit";
import { browserMissing, launchBrowser } from "@terse/testkit/chromium";
import { nextPort } from "@terse/testkit/ports";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createMcpApp } from "../src/index.ts";
import type { AnyClient } from "./app.ts";

/** The clients of the official SDK sign in as assistants do: from the address of the MCP server alone, with a browser. */

const missing = browserMissing();
const program = join(import.meta.dirname, "../node_modules/@modelcontextprotocol/conformance/dist/index.js");
interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}
const logger = createLogger({ level: "silent" });
const test = await createTestCore();
const apps: { http?: ReturnType<typeof createHttpApp>; mcp?: ReturnType<typeof createMcpApp> } = {};
const serve = (name: "http" | "mcp") =>
  listen({
    name,
    app: { fetch: (request, env) => apps[name]?.fetch(request, env) ?? new Response(null, { status: 503 }) },
    host: "127.0.0.1",
    port: 0,
    portSetting: "MCP_PORT",
    logger,
  });
const listeners = { http: await serve("http"), mcp: await serve("mcp") };
const settings = {
  BASE_URL: `http://localhost:${listeners.http.port}`,
  MCP_URL: `http://localhost:${listeners.mcp.port}`,
  SHORT_BASE: "http://short.test",
  TRUSTED_PROXIES: [],
  OAUTH_PROVIDERS: [],
};
apps.http = createHttpApp({ core: test.core, settings, logger });
apps.mcp = createMcpApp({ core: test.core, settings, logger });
const url = new URL(`${settings.MCP_URL}/mcp`);

/** Where programs wait for their user's browser */
const callbackServer = createServer((_, response) => void response.end("You can close this page."));
await new Promise<void>((resolve) => callbackServer.listen(0, "127.0.0.1", resolve));
const callback = `http://127.0.0.1:${(callbackServer.address() as AddressInfo).port}/callback`;

const browser = missing ? null : await launchBrowser();
afterAll(async () => {
  await browser?.close();
  callbackServer.closeAllConnections();
  callbackServer.close();
  await Promise.all(Object.values(listeners).map((listener) => listener.close(0)));
  await test.close();
});

/** What a program keeps of its sign-in, as both versions of the SDK ask for it */
class Memory {
  readonly redirectUrl = callback;
  readonly clientMetadata = { client_name: "Assistant", redirect_uris: [callback] };
  readonly saved: Record<string, unknown> = {};
  asked: URL | undefined;
  state = () => "state-of-the-program";
  clientInformation = () => this.saved["client"] as never;
  saveClientInformation = (value: unknown) => void (this.saved["client"] = value);
  tokens = () => this.saved["tokens"] as { access_token: string; scope?: string } as never;
  saveTokens = (value: unknown) => void (this.saved["tokens"] = value);
  codeVerifier = () => this.saved["verifier"] as string;
  saveCodeVerifier = (value: string) => void (this.saved["verifier"] = value);
  discoveryState = () => this.saved["discovery"] as never;
  saveDiscoveryState = (value: unknown) => void (this.saved["discovery"] = value);
  redirectToAuthorization = (to: URL) => void (this.asked = to);
}

/** A person at a browser, signed in to an account that may use the MCP server. */
async function person() {
  if (!browser) throw new Error("There is no browser");
  const account = await test.account("pro");
  const { token } = await test.core.sessions.create(account.id);
  const context = await browser.newContext();
  await context.addCookies([{ name: "session", value: token, url: settings.BASE_URL }]);
  const page = await context.newPage();
  return {
    account,
    /** Allows what a program asks for at an address. */
    async allowAt(address: string): Promise<void> {
      await page.goto(address);
      await page.getByRole("button", { name: "Allow" }).click();
    },
    /** Follows the program's request, allows it, and returns what the program's address gets. */
    async allow(memory: Memory, without: readonly string[] = []): Promise<URLSearchParams> {
      await page.goto(memory.asked?.href ?? "");
      await page.getByText("Assistant").first().waitFor();
      for (const scope of without) await page.getByLabel(scope).uncheck();
      await page.getByRole("button", { name: "Allow" }).click();
      await page.waitForURL(`${callback}**`);
      return new URL(page.url()).searchParams;
    },
  };
}

interface Line {
  name: string;
  /** Whether it asks for more; the older one renews its token instead, which gives it no more */
  stepsUp: boolean;
  connect(memory: Memory): {
    client: AnyClient;
    begin(): Promise<void>;
    finish(got: URLSearchParams): Promise<void>;
  };
}
const about = { name: "test", version: "1.0.0" };
const lines: Line[] = [
  {
    name: "the current SDK",
    stepsUp: true,
    connect(memory) {
      const transport = new StreamableHTTPClientTransport(url, { authProvider: memory });
      const client = new Client(about, { versionNegotiation: { mode: "auto" } });
      return {
        client: client as unknown as AnyClient,
        begin: () => client.connect(transport),
        finish: (got) => transport.finishAuth(got),
      };
    },
  },
  {
    name: "the SDK before it",
    stepsUp: false,
    connect(memory) {
      const transport = new OldTransport(url, { authProvider: memory });
      const client = new OldClient(about);
      return {
        client: client as unknown as AnyClient,
        begin: () => client.connect(transport),
        finish: (got) => transport.finishAuth(got.get("code") ?? ""),
      };
    },
  },
];

describe.skipIf(missing)(
  `signing in from the address of the MCP server${missing ? ` (left out: ${missing})` : ""}`,
  () => {
    const [current, ...older] = lines;
    it.each([current as Line])("works with $name", signIn);
    it.each(older)("works with $name", { tags: ["long"] }, signIn);

    async function signIn({ connect, stepsUp }: Line): Promise<void> {
      const user = await person();
      const memory = new Memory();
      const first = connect(memory);
      await expect(first.begin()).rejects.toThrow();
      expect(memory.asked?.origin).toBe(settings.BASE_URL);
      await first.finish(await user.allow(memory, ["Create, change and delete links"]));
      const { client, begin, finish } = connect(memory);
      await begin();
      expect((await client.listTools()).tools).toHaveLength(10);
      const listed = await client.callTool({ name: "list_links", arguments: {} });
      expect(listed.structuredContent).toMatchObject({ links: [], total: 0 });

      memory.asked = undefined;
      const create = { name: "create_link", arguments: { url: "https://example.com/" } };
      await expect(client.callTool(create)).rejects.toThrow();
      if (stepsUp) {
        const asked = (memory.asked as URL | undefined)?.searchParams.get("scope");
        expect(asked?.split(" ")).toEqual(expect.arrayContaining(["links:read", "links:write"]));
        await finish(await user.allow(memory));
        expect((await client.callTool(create)).isError).not.toBe(true);
      }
      await client.close();

      const caller = test.core.caller({ kind: "account", account: user.account, credential: "internal" });
      const [newest] = await caller.connections.list();
      expect(newest).toMatchObject({ client_name: "Assistant", client_host: null, resource: url.href });
    }

    it("passes the authorization scenarios of the official conformance suite", {
      tags: ["long"],
    }, async () => {
      const folder = await mkdtemp(join(tmpdir(), "terse-conformance-"));
      onTestFinished(() => rm(folder, { recursive: true }));
      const port = nextPort();
      const registered = await fetch(`${settings.BASE_URL}/oauth/register`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          redirect_uris: [`http://127.0.0.1:${port}/callback`],
          client_name: "Assistant",
        }),
      });
      const { client_id } = (await registered.json()) as { client_id: string };
      const which = [
        "--url",
        settings.BASE_URL,
        "--client-id",
        client_id,
        "--resource",
        url.href,
        "--port",
        port,
      ];
      const suite = spawn(process.execPath, [program, "authorization", ...which, "-o", folder]);
      const user = await person();
      let output = "";
      suite.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
      await until(() => /^http\S+authorize\S+$/m.test(output));
      await user.allowAt(/^http\S+authorize\S+$/m.exec(output)?.[0] ?? "");
      await once(suite, "close");
      const files = await readdir(folder, { recursive: true });
      const checks = await Promise.all(
        files
          .filter((name) => name.endsWith("checks.json"))
          .map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8")) as Check[]),
      );
      const found = checks.flat().map(({ id, status, errorMessage }) => [id, status, errorMessage]);
      expect(found, output).toEqual(
        expect.arrayContaining([["authorization-code-grant", "SUCCESS", undefined]]),
      );
      expect(found.filter(([, status]) => status !== "SUCCESS")).toEqual([]);
    });
  },
);
