import { loadConsole } from "@terse/console";
import type { CoreOptions } from "@terse/core";
import { until } from "@terse/testkit";
import { browserMissing, sharedBrowser } from "@terse/testkit/chromium";
import { startDns } from "@terse/testkit/dns";
import axe from "axe-core";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { startOpenIdProvider } from "../../http/test/auth/openid-provider.ts";
import { listenFirst, startApp, type TestApp } from "../../http/test/client.ts";

/** Why no browser can be started, or null. */
export const missing = browserMissing();
/** The end of a describe's name, for a browser that is missing. */
export const leftOut = missing ? ` (left out: ${missing})` : "";

/** A running service with the console, a provider to sign in with, and a browser, all until the file's tests are done. */
export async function startConsole(coreOptions: Partial<CoreOptions> = {}, host = "localhost") {
  const files = await loadConsole();
  const listener = await listenFirst(() => app);
  const base = `http://${host}:${listener.port}`;
  const provider = await startOpenIdProvider({ redirectUris: [`${base}/auth/callback/oidc`] });
  const dns = await startDns();
  afterAll(() => dns.close());
  const app: TestApp = await startApp({
    base,
    providers: [provider],
    console: files,
    dnsServers: [dns.address],
    ...coreOptions,
  });
  afterAll(() => listener.close(0));
  let browser: Browser;
  beforeAll(async () => {
    if (!missing) browser = await sharedBrowser();
  });

  /** A new person's browser, without a session. */
  async function newContext(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options);
    // Refused for an origin that has no clipboard.
    if (host === "localhost") await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    onTestFinished(() => context.close());
    return context;
  }

  /** A page of an account's browser, and what the browser complained about. */
  async function open(
    path: string,
    options: BrowserContextOptions = {},
    plan: "free" | "pro" | "enterprise" = "enterprise",
  ) {
    const account = await app.account(plan);
    const { token } = await app.core.sessions.create(account.id);
    const context = await newContext(options);
    await context.addCookies([{ name: "session", value: token, url: base }]);
    const page = await context.newPage();
    const complaints: string[] = [];
    watchRequests(page);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()))
        complaints.push(`${message.text()} ${message.location().url}`.trim());
    });
    page.on("pageerror", (error) => void complaints.push(String(error)));
    const caller = app.core.caller({ kind: "account", account, credential: "internal" });
    const goto = () => page.goto(base + path);
    return { account, context, page, complaints, caller, links: caller.links, token, goto };
  }

  return { app, base, dns, files, newContext, open };
}

const requests = new WeakMap<Page, Set<Request>>();

function watchRequests(page: Page): void {
  const open = new Set<Request>();
  requests.set(page, open);
  // A stream of clicks has no end.
  const isEndless = (request: Request) => new URL(request.url()).pathname === "/v1/analytics/live";
  page.on("request", (request) => !isEndless(request) && open.add(request));
  for (const event of ["requestfinished", "requestfailed"] as const)
    page.on(event as "requestfinished", (request) => open.delete(request));
}

/** Waits until a page of `open` has all that it asked for, and has shown it: two frames later it asks for nothing more. */
export async function settled(page: Page): Promise<void> {
  const open = requests.get(page);
  if (!open) throw new Error("Its requests are not watched");
  await until(async () => {
    if (open.size > 0) return false;
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    return open.size === 0;
  });
}

/** What is left of a window of 1280 by 800 pixels at a zoom of 200 % (WCAG 1.4.4), for a person who wants no motion. */
export const zoomed: BrowserContextOptions = {
  viewport: { width: 640, height: 400 },
  deviceScaleFactor: 2,
  reducedMotion: "reduce",
};

/** Waits for panels that are still fading in, whose colours axe would measure half-way. */
const stillness = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished))`;

/** Expects that axe finds nothing wrong with the page as it is now; `what` names it in a failure. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(stillness);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  // The only frame is a page's preview, which runs no scripts; axe could not ask it anything.
  const options = "{ resultTypes: ['violations'], iframes: false }";
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(${options})`);
  expect([what, violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])]).toEqual([what, []]);
}
