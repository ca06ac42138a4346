import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import { insecureHost } from "@terse/testkit/chromium";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { leftOut, missing, startConsole } from "./open.ts";

const { open } = await startConsole({}, insecureHost);

/** What a paste gives, in a field of the test's own: a short URL that is pasted into the search opens its link. */
async function pasted(page: Page): Promise<string> {
  await page.evaluate(`document.body.append(document.createElement("textarea"))`);
  const field = page.locator("body > textarea");
  await field.press("Control+v");
  const text = await field.inputValue();
  await field.evaluate((element: { remove(): void }) => element.remove());
  return text;
}

describe.skipIf(missing !== null)(`the console over http${leftOut}`, () => {
  it("creates, copies, imports and exports links without what browsers keep for https", async () => {
    const { page, links, complaints, goto } = await open("/");
    await goto();
    expect(await page.evaluate("[isSecureContext, 'clipboard' in navigator, 'locks' in navigator]")).toEqual([
      false,
      false,
      false,
    ]);
    await page.getByText("No links yet").waitFor();
    await page.keyboard.press("c");
    const panel = page.getByRole("dialog", { name: "Create a link" });
    await panel.getByLabel("Destination").fill("https://example.com/http");
    await panel.getByLabel("Slug").fill("over-http");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Created short.test/over-http and copied it").waitFor();
    expect(await pasted(page)).toBe("http://short.test/over-http");

    await links.create({ url: "https://example.com/2", slug: "second" });
    await page.reload();
    await page.getByRole("button", { name: "Copy http://short.test/second" }).click();
    await page.getByText("Copied http://short.test/second").waitFor();
    expect(await pasted(page)).toBe("http://short.test/second");

    const path = join(await tempFolder(), "links.csv");
    await writeFile(
      path,
      "destination,slug\r\nhttps://example.com/3,third\r\nhttps://example.com/4,fourth\r\n",
    );
    await page.goto(new URL("/import", page.url()).href);
    await page.setInputFiles("input[type=file]", path);
    // While one tab imports, another one waits for it.
    const { promise: otherSaysSo, resolve: goOn } = Promise.withResolvers<void>();
    await page.route("**/trpc/links.bulkCreate", async (route) => {
      if (!route.request().postData()?.includes('"dry_run":true')) await otherSaysSo;
      await route.fallback();
    });
    await page.getByRole("button", { name: "Import 2 links" }).click();
    await page.getByRole("button", { name: "Pause" }).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText("The import is running in another tab.").waitFor();
    await other.close();
    goOn();
    await page.getByText("Import complete.").waitFor();
    expect((await links.list({})).data.map(({ slug }) => slug).toSorted()).toEqual([
      "fourth",
      "over-http",
      "second",
      "third",
    ]);

    await page.goto(new URL("/", page.url()).href);
    await page.getByLabel("Select short.test/third").click();
    await page.getByRole("button", { name: "Copy short URLs" }).click();
    await page.getByText("Copied 1 short URL").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const text = await readFile(await (await download).path(), "utf8");
    expect(text).toMatch(/^\uFEFFshort_url,.*\r\nhttp:\/\/short\.test\/third,/);
    expect(complaints).toEqual([]);
  });
});
