import { launchBrowser } from "@terse/testkit/chromium";
import { serve } from "../../../packages/client/test/service.ts";
import { createMcpApp } from "../src/index.ts";

export type SignInService = Awaited<ReturnType<typeof startSignIn>>;

/** The API and the MCP server as programs find them, and people with browsers who may use both. */
export async function startSignIn() {
  const service = await serve({}, createMcpApp);
  const browser = await launchBrowser();
  return {
    ...service,
    /** Address at which programs find the MCP server */
    endpoint: new URL("/mcp", service.mcpUrl),
    /** The same of the one with all tools */
    full: new URL("/mcp/full", service.mcpUrl),
    /** A person at a browser, signed in to an account that may use the MCP server. */
    async person() {
      const account = await service.account("pro");
      const { token } = await service.core.sessions.create(account.id);
      const context = await browser.newContext();
      await context.addCookies([{ name: "session", value: token, url: service.url }]);
      const page = await context.newPage();
      return {
        account,
        token,
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
      await service.close();
    },
  };
}
