import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { browserMissing, launchBrowser } from "@terse/testkit/chromium";
import { listenFirst, startApp, type TestApp } from "./client.ts";
import { seedAccount } from "./seeded-account.ts";

const missing = browserMissing();
/** Stops a hang; on a busy machine the page alone takes a quarter of a minute. */
const timeout = 180_000;

describe.skipIf(missing !== null)(
  `/docs in a browser${missing ? ` (left out: ${missing})` : ""}`,
  async () => {
    const listener = await listenFirst(() => app);
    const app: TestApp = await startApp({ base: listener.url });
    let browser: Browser;

    beforeAll(async () => {
      browser = await launchBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await listener.close(0);
    });

    it("opens the operation in its address, sends unedited examples, and has no axe violations after that, in light and dark", {
      timeout,
    }, async () => {
      const { cookie } = await seedAccount(app);
      const context = await browser.newContext();
      onTestFinished(() => context.close());
      await context.addCookies([{ name: "session", value: cookie, url: listener.url }]);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      page.on("pageerror", (error) => void complaints.push(String(error)));
      await page.goto(`${listener.url}/docs#/Links/links.create`);
      await page.locator(".opblock.is-open", { hasText: "Create a short link" }).waitFor();
      for (const [hasText, status] of [
        ["Create a short link", "201"],
        ["Get a link's QR code", "404"],
        ["Update a link", "404"],
      ] as const) {
        const operation = page.locator(".opblock", { hasText });
        const closed = !(await operation.getAttribute("class"))?.includes("is-open");
        const buttons = [...(closed ? [".opblock-summary-control"] : []), ".try-out__btn", ".execute"];
        for (const button of buttons) await operation.locator(button).first().dispatchEvent("click");
        const answer = operation.locator(".live-responses-table .response-col_status");
        expect(await answer.last().innerText()).toMatch(new RegExp(`^${status}`));
      }
      expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
      await page.evaluate(axe.source);
      const grounds = new Set<string>();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const isDark = "document.documentElement.classList.contains('dark-mode')";
        await expect.poll(() => page.evaluate(isDark)).toBe(colorScheme === "dark");
        // Colours change slowly.
        const isMoving = "document.getAnimations().some(({ playState }) => playState === 'running')";
        await expect.poll(() => page.evaluate(isMoving)).toBe(false);
        grounds.add(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor"));
        // Dark has other colours, and the same structure.
        const rules = colorScheme === "dark" ? `, runOnly: ["color-contrast"]` : "";
        const { violations } = await page.evaluate<axe.AxeResults>(
          `axe.run({ resultTypes: ["violations"]${rules} })`,
        );
        expect([colorScheme, violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])]).toEqual(
          [colorScheme, []],
        );
      }
      expect(grounds.size).toBe(2);
    });
  },
);
