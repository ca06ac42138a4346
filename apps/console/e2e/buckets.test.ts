import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { redirectListenOptions } from "@terse/redirect";
import { createLogger, listen } from "@terse/server";
import type { BrowserContext } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { browserUserAgent } from "@terse/testkit";
import { png } from "@terse/testkit/png";
import { expectAccessible, leftOut, missing, startConsole, zoomed } from "./open.ts";

const { app, base, open } = await startConsole();

/** The short-link host, which the browser reaches at http://short.test. */
const shortLinks = await listen({
  ...redirectListenOptions({
    core: app.core,
    settings: { SHORT_BASE: "http://short.test", TRUSTED_PROXIES: [] },
    logger: createLogger({ level: "silent" }),
  }),
  host: "127.0.0.1",
  port: 0,
});
afterAll(() => shortLinks.close(0));
const serveShortLinks = (context: BrowserContext) =>
  context.route("http://short.test/**", async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    // Not by fetch, which chooses the host itself.
    const sent = get(`${shortLinks.url}${pathname}${search}`, {
      headers: { ...(await request.allHeaders()), host: "short.test" },
    });
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    await route.fulfill({
      status: answer.statusCode ?? 0,
      headers: answer.headers as Record<string, string>,
      body: await buffer(answer),
    });
  });

/** A photo: red on its left, transparent on its right, and wider than high. */
const photo = {
  name: "ada.png",
  mimeType: "image/png",
  buffer: png(300, 200, (x) => (x < 150 ? [200, 30, 30, 255] : [0, 0, 0, 0])),
};

describe.skipIf(missing !== null)(`pages in a browser${leftOut}`, () => {
  it("a page gets an image, a colour and three kinds of links, is put in order by keyboard, and looks like its preview", async () => {
    const { page, context, caller, complaints, goto } = await open("/buckets?edit=new", {
      ...zoomed,
      userAgent: browserUserAgent,
    });
    await serveShortLinks(context);
    await goto();
    const panel = page.getByRole("dialog");
    await panel.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
    await panel.getByLabel("Tagline").fill("Mathematician and writer");
    await panel.getByLabel("Slug").fill("ada");
    await panel.locator("input[type=file]").setInputFiles(photo);
    await panel.getByLabel("Code of the accent colour").fill("#ffd400");
    await panel.getByText("Text on it is black. On light pages, icons are darkened to #").waitFor();
    for (const [at, [title, address]] of [
      ["Notes", "github.com/ada"],
      ["Write to me", "ada@example.com"],
      ["Call me", "+49 30 12345"],
    ].entries()) {
      if (at > 0) await panel.getByRole("button", { name: "Add a link" }).click();
      await panel.getByLabel(`Title of link ${at + 1}`).fill(title as string);
      await panel
        .getByLabel("URL, e-mail address")
        .nth(at)
        .fill(address as string);
    }
    await panel.getByRole("button", { name: "Move link 3", exact: true }).press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await panel.getByText("Call me is now link 1 of 3.").waitFor();
    // At the top, the button that was pressed is off: the other one has the focus.
    await panel.getByRole("button", { name: "Move link 1 down" }).press("Enter");
    await panel.getByRole("button", { name: "Move link 2 up" }).press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Move link 1 down");

    const preview = panel.locator("iframe:not(.loading)").contentFrame();
    await preview.getByRole("link", { name: "Call me +493012345" }).waitFor();
    const whatIsSeen = (text: string) => text.replaceAll(/\s+/g, " ").trim();
    const previewed = whatIsSeen(await preview.locator("body").innerText());
    await preview.getByRole("link").first().click(); // leads nowhere
    await expectAccessible(page, "editor");
    await panel.getByLabel("Slug").press("Control+Enter");
    await page.getByText("Saved Ada Lovelace").waitFor();

    const [bucket] = (await caller.buckets.list({})).data;
    expect(bucket).toMatchObject({
      slug: "ada",
      description: "Mathematician and writer",
      accent_color: "#ffd400",
      avatar_url: expect.stringMatching(/^http:\/\/short\.test\/ada\/[\w-]{22}\.webp$/),
      links: [
        { title: "Call me", url: "tel:+493012345" },
        { title: "Notes", url: "https://github.com/ada" },
        { title: "Write to me", url: "mailto:ada@example.com" },
      ],
    });

    const visitor = await context.newPage();
    await visitor.goto("http://short.test/ada");
    expect(whatIsSeen(await visitor.locator("body").innerText())).toBe(previewed);
    const size = await visitor.evaluate(
      "(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])(document.querySelector('img.face'))",
    );
    expect(size).toEqual([256, 256]);
    await expectAccessible(visitor, "page");
    await expect.poll(async () => (await caller.buckets.get({ id: bucket?.id ?? "" })).views).toBe(1);
    // Chromium says that a link of the sandboxed preview was not followed.
    expect(complaints.filter((text) => !text.includes("sandboxed"))).toEqual([]);
  });

  it("an error is at its field, and a deleted page comes back when that is undone", async () => {
    const { page, caller, goto } = await open("/buckets");
    const { id } = await caller.buckets.create({
      name: "Mine",
      links: [{ title: "One", url: "https://example.com/" }],
    });
    await goto();
    await page.getByRole("button", { name: "Edit Mine" }).click();
    expect(page.url()).toBe(`${base}/buckets?edit=${id}`);
    const panel = page.getByRole("dialog");
    await panel.getByLabel("URL, e-mail address").fill("mailto:nobody");
    await panel.getByLabel("Slug").fill("two words");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.getByText("must have one e-mail address after mailto:").waitFor();
    for (const label of ["URL, e-mail address", "Slug"])
      expect(await panel.getByLabel(label).getAttribute("aria-invalid")).toBe("true");
    await panel.getByLabel("Slug").and(page.locator(":focus")).waitFor();
    await panel.getByLabel("Slug").fill("one-word");
    await panel.getByLabel("URL, e-mail address").fill("example.com/other");
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved Mine").waitFor();
    expect((await caller.buckets.get({ id })).links).toEqual([
      { title: "One", url: "https://example.com/other" },
    ]);

    await page.getByRole("button", { name: "Delete Mine" }).click();
    await page.getByText("No pages yet").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Delete Mine" }).click();
    await page.goto("about:blank"); // leaving the page carries out what could still be undone
    await expect.poll(async () => (await caller.buckets.list({})).meta.total).toBe(0);
  });
});
