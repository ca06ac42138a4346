import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { browserMissing, launchBrowser } from "@terse/testkit/chromium";
import { listenFirst, startApp, type TestApp } from "../client.ts";
import { startOpenIdProvider } from "./openid-provider.ts";

const missing = browserMissing();

describe.skipIf(missing !== null)(`in a browser${missing ? ` (left out: ${missing})` : ""}`, async () => {
  const listener = await listenFirst(() => app);
  const base = `http://localhost:${listener.port}`;
  const provider = await startOpenIdProvider({ redirectUris: [`${base}/auth/callback/oidc`] });
  const app: TestApp = await startApp({ base, providers: [provider] });
  let browser: Browser;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await listener.close(0);
  });

  async function open(path = "/shorten", options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => void complaints.push(String(error)));
    await page.goto(base + path);
    return { context, page, complaints };
  }
  async function signIn(page: Page, who: string) {
    await page.getByRole("link", { name: "Sign in with Oidc" }).click();
    await page.getByLabel("Who").fill(who);
    await page.getByRole("button", { name: "Go" }).click();
  }

  it("a person signs in, shortens a URL, and signs out, without any script", async () => {
    const { context, page, complaints } = await open();
    await signIn(page, "ada");
    await page.getByText("ada@example.com").waitFor();
    expect(page.url()).toBe(`${base}/shorten`);
    const cookie = (await context.cookies(base)).find(({ name }) => name === "session");
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", secure: false, path: "/" });
    expect(await page.evaluate("document.cookie")).toBe("");

    await page.getByLabel("Long URL").fill("https://example.com/a/long/address");
    await page.getByRole("button", { name: "Shorten" }).click();
    const short = page.getByRole("status").getByRole("link");
    expect(await short.getAttribute("href")).toMatch(/^http:\/\/short\.test\/\w{7}$/);
    expect(await page.getByRole("status").textContent()).toContain("https://example.com/a/long/address");

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in with Oidc" }).waitFor();
    expect((await app.ask("GET", "/v1/me", { cookie: cookie?.value })).status).toBe(401);
    expect(complaints).toEqual([]);
  });

  it("a cancelled sign-in is explained, and can be started again", async () => {
    const { page } = await open();
    await signIn(page, "nobody");
    await page.getByRole("heading", { name: "Sign-in was cancelled" }).waitFor();
    await page.getByRole("link", { name: "Back to the start" }).click();
    await signIn(page, "grace");
    await page.getByText("grace@example.com").waitFor();
  });

  it("two tabs sign in at the same time, each with its own return address", async () => {
    const { context, page } = await open();
    const second = await context.newPage();
    await page.goto(`${base}/auth/login/oidc?return_to=/shorten%3Ftab%3D1`);
    await second.goto(`${base}/auth/login/oidc?return_to=/shorten%3Ftab%3D2`);
    for (const [tab, name] of [
      [second, "shorten?tab=2"],
      [page, "shorten?tab=1"],
    ] as const) {
      await tab.getByLabel("Who").fill("alan");
      await tab.getByRole("button", { name: "Go" }).click();
      await tab.waitForURL(`${base}/${name}`);
      await tab.getByText("alan@example.com").waitFor();
    }
  });

  it("another site's form cannot sign a user out", async () => {
    const { context, page } = await open();
    await signIn(page, "ada");
    await page.getByText("ada@example.com").waitFor();
    const evil = await context.newPage();
    await evil.route("http://evil.test/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<form method="post" action="${base}/auth/logout"><button>Win</button></form>`,
      }),
    );
    await evil.goto("http://evil.test/");
    await evil.getByRole("button", { name: "Win" }).click();
    await evil.waitForURL(`${base}/auth/logout`);
    await page.reload();
    await page.getByText("ada@example.com").waitFor();
  });

  it("a sign-in link signs in the browser that opens it", async () => {
    const account = await app.core.accounts.create({ email: "local@example.com" });
    const { token } = await app.core.logins.issueLink(account.id);
    const { page } = await open(`/auth/local?token=${token}`);
    await page.getByText("local@example.com").waitFor();
    expect(page.url()).toBe(`${base}/shorten`);
  });

  it("a sign-in link on another site asks with a button", async () => {
    const account = await app.core.accounts.create({ email: "asked@example.com" });
    const { token } = await app.core.logins.issueLink(account.id);
    const { page, complaints } = await open();
    await page.route("http://other.test/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<a href="${base}/auth/local?token=${token}">Open</a>`,
      }),
    );
    await page.goto("http://other.test/");
    await page.getByRole("link", { name: "Open" }).click();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("asked@example.com").waitFor();
    expect(complaints.filter((text) => !text.includes("favicon"))).toEqual([]);
  });

  it("the style is applied in light and dark, and nothing overflows a narrow screen", async () => {
    const account = await app.core.accounts.create({ email: `${"x".repeat(60)}@example.com` });
    const { page, complaints } = await open("/shorten", { viewport: { width: 320, height: 640 } });
    const grounds = new Set<string>();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { token } = await app.core.logins.issueLink(account.id);
      for (const path of ["/shorten", "/auth/callback/oidc", `/auth/local?token=${token}`]) {
        await page.context().clearCookies();
        await page.goto(base + path);
        grounds.add(await page.evaluate<string>("getComputedStyle(document.body).backgroundColor"));
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      }
    }
    expect(grounds.size).toBe(2);
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });
});
