import { createTestCore } from "@terse/core/testing";
import { createHttpApp } from "@terse/http";
import { createLogger, listen } from "@terse/server";
import { launchBrowser } from "@terse/testkit/chromium";
import { createMcpApp } from "../src/index.ts";

export type SignInService = Awaited<ReturnType<typeof startSignIn>>;

/** The API and the MCP server as programs find them, and people with browsers who may use both. */
export async function startSignIn() {
  const logger = createLogger({ level: "silent" });
  const test = await createTestCore();
  const apps: { http?: ReturnType<typeof createHttpApp>; mcp?: ReturnType<typeof createMcpApp> } = {};
  // An app must know its address, so it comes after the listener.
  const serve = (name: "http" | "mcp") =>
    listen({
      name,
      app: {
        fetch: (request, env) => apps[name]?.fetch(request, env) ?? new Response(null, { status: 503 }),
      },
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
  const browser = await launchBrowser();
  return {
    ...test,
    settings,
    /** Address of the MCP server */
    url: new URL(`${settings.MCP_URL}/mcp`),
    /** A person at a browser, signed in to an account that may use the MCP server. */
    async person() {
      const account = await test.account("pro");
      const { token } = await test.core.sessions.create(account.id);
      const context = await browser.newContext();
      await context.addCookies([{ name: "session", value: token, url: settings.BASE_URL }]);
      const page = await context.newPage();
      return {
        account,
        page,
        /** Allows what a program asks for at an address. */
        async allowAt(address: string): Promise<void> {
          await page.goto(address);
          await page.getByRole("button", { name: "Allow" }).click();
        },
      };
    },
    async close() {
      await browser.close();
      await Promise.all(Object.values(listeners).map((listener) => listener.close(0)));
      await test.close();
    },
  };
}
