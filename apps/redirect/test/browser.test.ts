import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { browserUserAgent as userAgent } from "@terse/testkit";
import { createTestApp, type TestApp } from "./app.ts";
import { browserMissing, launchBrowser } from "@terse/testkit/chromium";

const missing = browserMissing();

describe.skipIf(missing !== null)(`in a browser${missing ? ` (left out: ${missing})` : ""}`, () => {
  let app: TestApp;
  let browser: Browser;
  let elsewhere: Server;
  let origin: string;
  let destination: string;

  beforeAll(async () => {
    app = await createTestApp({ SHORT_BASE: "http://127.0.0.1" });
    origin = (await app.serve()).url;
    // Another origin that redirects again to a third one: form-action would apply to each step.
    elsewhere = createServer((request, response) => {
      const { port } = elsewhere.address() as AddressInfo;
      if (request.url === "/start") {
        response.writeHead(302, { Location: `http://[::1]:${port}/arrived` }).end();
      } else {
        response.setHeader("Content-Type", "text/html");
        response.end(
          `<title>Arrived</title><p>${request.method} from ${request.headers.referer ?? "nowhere"}`,
        );
      }
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "::", resolve));
    destination = `http://localhost:${(elsewhere.address() as AddressInfo).port}/start`;
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    elsewhere?.close();
    await app?.close();
  });

  async function open(path: string, options: BrowserContextOptions = {}) {
    // Some browsers for tests say "headless" in their hints, which makes their visits a bot's.
    const extraHTTPHeaders = { "Sec-CH-UA": '"Chromium";v="142"' };
    const context = await browser.newContext({ userAgent, extraHTTPHeaders, ...options });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) problems.push(message.text());
    });
    page.on("pageerror", (error) => void problems.push(String(error)));
    await page.goto(origin + path);
    return { page, problems };
  }

  async function submit(page: Page, password: string) {
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Continue" }).click();
  }

  it("the right password redirects to another origin, by GET and without a referrer", async () => {
    const { slug, clicks } = await app.link({ url: destination, password: "sesame" });
    const { page, problems } = await open(`/${slug}?utm_source=x`);
    expect(await page.title()).toBe("This link is protected");
    await submit(page, "sesame");
    await page.waitForURL("**/arrived");
    expect(await page.textContent("p")).toBe("GET from nowhere");
    expect(problems).toEqual([]);
    expect(await clicks()).toBe(1);
  });

  it("a wrong password is announced, and the right one works afterwards", async () => {
    const { slug } = await app.link({ url: destination, password: "sesame" });
    const { page } = await open(`/${slug}`);
    await submit(page, "wrong");
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toBe("Wrong password. Please try again.");
    await page.locator("input:focus").waitFor();
    await submit(page, "sesame");
    await page.waitForURL("**/arrived");
  });

  it("the right password is remembered for its link only, also with emoji in the slug", async () => {
    const [one, other] = [
      await app.link({ url: destination, password: "sesame", slug: "été-🚀" }),
      await app.link({ url: destination, password: "sesame" }),
    ];
    const { page } = await open(`/${one.slug}`);
    await submit(page, "sesame");
    await page.waitForURL("**/arrived");
    await page.goto(`${origin}/${one.slug}`);
    expect(await page.title()).toBe("Arrived");
    await page.goto(`${origin}/${other.slug}`);
    expect(await page.title()).toBe("This link is protected");
    expect(await page.evaluate("document.cookie")).toBe("");
  });

  it("a page is in the browser's language until its visitor chooses another one", async () => {
    const { slug } = await app.link({ url: destination });
    const { page, problems } = await open(`/${slug}+`, { locale: "fr-CA" });
    await page.getByRole("heading", { name: "Où mène ce lien" }).waitFor();
    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Wohin dieser Link führt" }).waitFor();
    expect(await page.getAttribute("html", "lang")).toBe("de");
    expect([page.url(), problems]).toEqual([`${origin}/${slug}+`, []]);
    await page.goto(`${origin}/unknown`);
    await page.getByRole("heading", { name: "Link nicht gefunden" }).waitFor();
  });

  it("another site cannot choose a visitor's language", async () => {
    const { page } = await open("/unknown");
    await page.goto(destination.replace("/start", "/"));
    await page.evaluate(`location.href = "${origin}/+de"`);
    await page.getByRole("heading", { name: "Link not found" }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
  });

  it("a bucket's link leads to another origin, and the view and the click are counted", async () => {
    const { slug, stats } = await app.bucket({ name: "Ada", links: [{ title: "There", url: destination }] });
    const { page, problems } = await open(`/${slug}`);
    expect(await page.title()).toBe("Ada");
    await page.getByRole("link", { name: "There localhost" }).click();
    await page.waitForURL("**/arrived");
    // The origin may be sent, the path may not.
    expect(await page.textContent("p")).toBe(`GET from ${origin}/`);
    expect(problems).toEqual([]);
    expect(await stats()).toMatchObject({ views: 1, clicks: 1 });
  });

  it("a preview shows where a link leads, and its form reports the link without scripts", async () => {
    const { slug, clicks } = await app.link({ url: destination, title: "Spring" });
    const { page, problems } = await open(`/${slug}+`, { javaScriptEnabled: false });
    expect(await page.textContent(".url")).toBe(destination);
    await page.getByText("Report this link").click();
    await page.getByLabel("What is wrong with it?").selectOption("phishing");
    await page.getByLabel("Details (optional)").fill("It asks for\nmy PIN 🙃");
    await page.getByRole("button", { name: "Send report" }).click();
    await page.getByRole("heading", { name: "Thank you" }).waitFor();
    expect(await app.core.reportQueue.list()).toMatchObject([{ details: "It asks for\nmy PIN 🙃" }]);
    await page.goto(`${origin}/${slug}+`);
    await page.getByRole("link", { name: "Continue to localhost" }).click();
    await page.waitForURL("**/arrived");
    expect(await page.textContent("p")).toBe("GET from nowhere");
    expect(problems).toEqual([]);
    expect(await clicks()).toBe(1);
  });

  it("the style is applied in light and dark, and fits a narrow phone", async () => {
    const { slug } = await app.link({ url: destination, password: "sesame" });
    const { page, problems } = await open(`/${slug}`, { viewport: { width: 320, height: 480 } });
    const backgrounds = new Set<string>();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const path of [`/${slug}`, "/nope"]) {
        await page.goto(origin + path);
        backgrounds.add(await page.evaluate<string>("getComputedStyle(document.body).backgroundColor"));
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      }
    }
    expect(backgrounds.size).toBe(2);
    expect(problems.filter((text) => !text.includes("404"))).toEqual([]);
  });
});
