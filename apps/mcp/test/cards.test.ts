import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { browserUserAgent } from "@terse/testkit";
import { browserMissing, launchBrowser } from "@terse/testkit/chromium";
import type { FrameLocator, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { now, startApp, type ToolResult } from "./app.ts";

/** Milliseconds that a test lets pass */
let passed = 0;
const app = await startApp({ clock: () => new Date(now.getTime() + passed) });
const { key, account } = await app.key("pro");
const caller = app.core.caller({ kind: "account", account, credential: "internal" });
const clients = { "/mcp": await app.newClient(key), "/mcp/full": await app.newClient(key, "/mcp/full") };

async function documentOf(client: Client, tool: string): Promise<string> {
  const { tools } = await client.listTools();
  const found = tools.find(({ name }) => name === tool);
  const ui = found?._meta?.["ui"] as { resourceUri: string };
  const { contents } = await client.readResource({ uri: ui.resourceUri });
  return (contents[0] as { text: string }).text;
}
const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: args })) as unknown as ToolResult;

describe("what hosts read", () => {
  it("is a document of MCP Apps that loads nothing, listed with a policy that allows nothing", async () => {
    for (const [path, client] of Object.entries(clients)) {
      const { resources } = await client.listResources();
      const cards = resources.filter(({ uri }) => uri.startsWith("ui://"));
      const { tools } = await client.listTools();
      const withCard = tools.filter(({ _meta }) => _meta).map(({ name }) => name);
      expect(cards.map(({ uri }) => uri)).toEqual(withCard.map((name) => `ui://terse/${name}.html`));
      expect(withCard).toHaveLength(path === "/mcp" ? 6 : 8);
      for (const { uri } of cards) {
        const { contents } = await client.readResource({ uri });
        const [content] = contents as { mimeType?: string; _meta?: object; text?: string }[];
        const { mimeType, _meta: meta, text } = content ?? {};
        expect(mimeType).toBe("text/html;profile=mcp-app");
        expect(meta).toEqual({ ui: { csp: {}, prefersBorder: true } });
        expect(text).toMatch(
          /content="default-src 'none'; script-src 'sha256-\S+' 'sha256-\S+'; style-src 'sha256-\S+'; img-src data:;/,
        );
        expect(text).not.toMatch(/ (?:src|href)=|@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
      }
    }
  });

  it("adds nothing to the answer, so hosts without cards show the text", async () => {
    const answer = await call(clients["/mcp"], "create_link", { url: "https://example.com/text" });
    expect(answer.content[0]?.text).toMatch(
      /^Created http:\/\/short\.test\/\w+ → https:\/\/example\.com\/text/,
    );
    expect(answer).not.toHaveProperty("_meta.ui");
  });
});

const missing = browserMissing();

describe.skipIf(missing)(
  `in a host made of the official package${missing ? ` (left out: ${missing})` : ""}`,
  () => {
    const started = missing ? undefined : Promise.all([launchBrowser(), bundledHost()]);
    afterAll(async () => (await started)?.[0].close());

    /** Shows the card of a tool's result in a host, and returns what is in it. */
    async function show(path: keyof typeof clients, tool: string, result: ToolResult, options: object = {}) {
      if (!started) throw new Error("There is no browser");
      const [browser, host] = await started;
      const client = clients[path];
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      const problems: string[] = [];
      page.on("request", (request) => /^(?:data|about):/.test(request.url()) || problems.push(request.url()));
      page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
      page.on("pageerror", (error) => problems.push(error.message));
      await page.exposeFunction("callTool", (name: string, args: Record<string, unknown>) =>
        call(client, name, args),
      );
      await page.setContent("<!doctype html><body></body>");
      await page.addScriptTag({ content: host, type: "module" });
      await page.waitForFunction("globalThis.showCard");
      const shown = JSON.stringify([await documentOf(client, tool), result, { theme: "light", ...options }]);
      await page.evaluate(`showCard(...${shown})`);
      return { page, problems, card: page.frameLocator("iframe") };
    }
    const backOf = (card: FrameLocator) =>
      card.locator("body").evaluate("getComputedStyle(document.body).backgroundColor");
    const heard = (page: Page) =>
      page.evaluate<{ opened: string[]; told: string[]; sizes: number[] }>("heard");

    it("a new link has its QR code and a button that undoes it, light and dark", async () => {
      const args = { url: "https://example.com/a?b=<img src=x onerror=alert(1)>", title: "<b>Sale</b>" };
      const result = await call(clients["/mcp"], "create_link", args);
      const { card, page, problems } = await show("/mcp", "create_link", result);
      const link = result.structuredContent as { id: string; shortUrl: string };
      await card.getByRole("heading", { name: link.shortUrl }).waitFor();
      await card.getByRole("img", { name: `QR code of ${link.shortUrl}` }).waitFor();
      await card.getByText("<b>Sale</b> · 0 clicks").waitFor();
      expect(await backOf(card)).toBe("rgb(255, 255, 255)");
      await page.evaluate("changeTheme('dark')");
      await expect.poll(() => backOf(card)).toBe("rgb(27, 29, 28)");

      await card.getByRole("button", { name: "Open" }).click();
      await card.getByRole("button", { name: "Undo" }).click();
      await card.getByText("Undone: the link is deleted.").waitFor();
      await expect(caller.links.get({ id: link.id })).rejects.toThrow("Link not found");
      const { opened, told, sizes } = await heard(page);
      expect(opened).toEqual([link.shortUrl]);
      expect(told).toEqual([`The user undid create_link of ${link.shortUrl} with the card's button.`]);
      expect(sizes.at(-1)).toBeGreaterThan(100);
      expect(problems).toEqual([]);
    });

    it("an update is undone at the server with all tools", { tags: ["long"] }, async () => {
      const { id } = await caller.links.create({ url: "https://example.com/", title: "Before" });
      passed += 1;
      const result = await call(clients["/mcp/full"], "update_link", { id, title: "After" });
      passed += 1;
      // A later change of something else stays.
      await caller.links.update({ id, notes: "Later" });
      const { card, problems } = await show("/mcp/full", "update_link", result, { theme: "dark" });
      await card.getByRole("button", { name: "Undo" }).click();
      await card.getByText("Undone.").waitFor();
      expect(await caller.links.get({ id })).toMatchObject({ title: "Before", notes: "Later" });
      expect(problems).toEqual([]);
    });

    it("in a host that calls no tools, a link is shown without them", { tags: ["long"] }, async () => {
      const result = await call(clients["/mcp"], "create_link", { url: "https://example.com/alone" });
      const { card, problems } = await show("/mcp", "create_link", result, { withTools: false });
      await card.getByText("https://example.com/alone").waitFor();
      expect(await card.getByRole("button").allTextContents()).toEqual(["Open"]);
      expect(problems).toEqual([]);
    });

    it("a report is a chart with its figures and lists", { tags: ["long"] }, async () => {
      const { id, shortUrl } = await caller.links.create({ url: "https://example.com/counted" });
      for (let n = 0; n < 3; n++)
        await app.core.clicks.record({
          link_id: id,
          user_agent: browserUserAgent,
          address: `192.0.2.${n}`,
          country: "DE",
        });
      const result = await call(clients["/mcp"], "get_analytics", { id, period: "7d" });
      const all = await call(clients["/mcp"], "get_analytics", { period: "7d", compare: true });
      const { card, problems } = await show("/mcp", "get_analytics", result, { theme: "dark" });
      await card.getByRole("img", { name: "7 rows, at most 3 clicks each" }).waitFor();
      expect(await card.locator("svg rect").count()).toBe(7);
      await card.getByText("at most 3 a day").waitFor();
      await card.getByRole("table", { name: "Referrers" }).getByText("(direct)").waitFor();
      await card.getByRole("table", { name: "Countries" }).getByText("Germany").waitFor();
      const { card: second } = await show("/mcp", "get_analytics", all);
      await second.getByText(shortUrl.replace("http://", ""), { exact: true }).waitFor();
      expect(problems).toEqual([]);
    });

    it("a bucket is a preview of its page", { tags: ["long"] }, async () => {
      const result = await call(clients["/mcp"], "create_bucket", {
        name: "Ada Lovelace",
        description: "Notes on engines",
        accent_color: "#0f6b52",
        links: [{ title: "Blog", url: "https://example.com/blog" }],
      });
      const { card, page, problems } = await show("/mcp", "create_bucket", result);
      await card.getByRole("heading", { name: "Ada Lovelace" }).waitFor();
      await card.getByRole("button", { name: "Blog" }).click();
      expect((await heard(page)).opened).toEqual(["https://example.com/blog"]);
      expect(problems).toEqual([]);
    });
  },
);

/** The host with the package and the SDK, for a browser */
async function bundledHost(): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "cards/host.js"),
    platform: "browser",
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "esm", minify: false });
  await bundle.close();
  return output[0].code;
}
