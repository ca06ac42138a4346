import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserMissing, launchBrowser } from "@terse/testkit/chromium";
import { languages } from "@terse/server";
import type { Answer } from "../src/answer.ts";
import { bucketsIn, messagesIn, previewsIn } from "./pages.ts";

const missing = browserMissing();
const answers: { name: string; kind: string; answer: Answer }[] = [];
for (const words of Object.values(languages)) {
  const { language } = words;
  const kinds = { messages: await messagesIn(words), previews: await previewsIn(words) };
  // In other languages only their last line is another one.
  const all = { ...kinds, ...(language === "en" && { buckets: await bucketsIn(words) }) };
  for (const [kind, pages] of Object.entries(all))
    for (const [name, answer] of Object.entries(pages))
      answers.push({ name: `${name} (${language})`, kind: `${kind} (${language})`, answer });
}
const named = answers.map(({ name, kind }, at) => ({ name, kind, at }));
/** Pages of a kind have the same colours, and those in other languages only other words. */
const isFirst = (at: number) => answers.findIndex(({ kind }) => kind === answers[at]?.kind) === at;
const isEnglish = (at: number) => answers[at]?.name.endsWith("(en)") === true;
const longUnless = (isShort: boolean) => ({ tags: isShort ? [] : ["long" as const] });
const ofBuckets = named.filter(({ kind }) => kind.startsWith("buckets"));

describe.skipIf(missing !== null)(`pages in a browser${missing ? ` (left out: ${missing})` : ""}`, () => {
  let browser: Browser;
  let server: Server;
  let origin: string;
  const themed: Partial<Record<"light" | "dark", Page>> = {};

  beforeAll(async () => {
    server = createServer((request, response) => {
      const answer = answers[Number(request.url?.slice(1))]?.answer;
      response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await launchBrowser();
    for (const colorScheme of ["light", "dark"] as const) {
      themed[colorScheme] = await (await browser.newContext({ colorScheme })).newPage();
    }
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function open(at: number, theme: "light" | "dark" = "light", width = 390): Promise<Page> {
    const page = themed[theme] as Page;
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${origin}/${at}`);
    return page;
  }

  describe.each(named)("$name", ({ at }) => {
    async function hasNoViolations(theme: "light" | "dark", width: number) {
      const page = await open(at, theme, width);
      await page.evaluate(axe.source);
      const options = "{ resultTypes: ['violations'] }"; // less about what passes
      const { violations, passes } = await page.evaluate<axe.AxeResults>(`axe.run(${options})`);
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(passes.map(({ id }) => id)).toContain("color-contrast");
    }
    const title = "has no axe violations in %s, %d pixels wide";
    const isShort = isFirst(at) || isEnglish(at);
    it.each([["light", 390]] as const)(title, longUnless(isShort), hasNoViolations);
    it.each([["dark", 1280]] as const)(title, longUnless(isFirst(at) && isEnglish(at)), hasNoViolations);
    it.each([
      ["light", 1280],
      ["dark", 390],
    ] as const)(title, { tags: ["long"] }, hasNoViolations);

    it("fits a window of 320 pixels, and one of 390 with text of twice the size", async () => {
      const page = await open(at, "light", 320);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.evaluate(`document.documentElement.style.fontSize = "200%"`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    });
  });

  it.each(ofBuckets)(
    "links can be focused by keyboard in order, with a visible outline: $name",
    async ({ at }) => {
      const page = await open(at);
      const count = await page.getByRole("link").count();
      expect(count).toBeGreaterThan(0);
      for (let number = 1; number <= count; number++) {
        await page.keyboard.press("Tab");
        expect(await page.locator("a:focus-visible").getAttribute("href")).toBe(`/page/${number}`);
        expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
      }
    },
  );

  it.each(ofBuckets)("links are large enough for touch, with space between them: $name", async ({ at }) => {
    const page = await open(at);
    const boxes = await Promise.all((await page.getByRole("link").all()).map((link) => link.boundingBox()));
    for (const [place, box] of boxes.entries()) {
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect(box?.width).toBeGreaterThanOrEqual(300);
      const above = boxes[place - 1];
      if (above) expect((box?.y ?? 0) - above.y - above.height).toBeGreaterThanOrEqual(8);
    }
  });

  it("text follows the direction of its script", async () => {
    const page = await open(answers.findIndex(({ name }) => name === "right-to-left names (en)"));
    const directions = "[...document.querySelectorAll('a')].map((link) => getComputedStyle(link).direction)";
    expect(await page.evaluate(directions)).toEqual(["rtl", "rtl", "ltr"]);
  });

  it("nothing moves if reduced motion is requested", async () => {
    const page = await open(answers.findIndex(({ name }) => name === "ten links (en)"));
    const duration = () => page.evaluate("getComputedStyle(document.querySelector('a')).transitionDuration");
    expect(await duration()).not.toBe("0s");
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await duration()).toBe("0s");
    await page.emulateMedia({ reducedMotion: null });
  });
});
