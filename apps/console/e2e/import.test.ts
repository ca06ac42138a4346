import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import type { Page, Request } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

/** Whether a request only asks what would be refused. */
const isCheck = (request: Request) => request.postData()?.includes('"dry_run":true');

interface BulkDeps {
  limits: { take(name: string, accountId: string, reply: object): Promise<void> };
}

describe.skipIf(missing)(`importing links in the console${leftOut}`, async () => {
  const { app, open } = await startConsole();

  const result = async (page: Page) => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download the result" }).click();
    const text = await readFile(await (await download).path(), "utf8");
    expect(text[0]).toBe("\uFEFF"); // by which spreadsheets know UTF-8
    return text.slice(1);
  };
  const outcome = (page: Page, name: string) =>
    page.locator(".outcome div", { hasText: name }).locator("dd").textContent();

  it("a file of another service: columns, refusals in advance, a pause, a lost answer, and the result", async () => {
    const { page, links, complaints, goto } = await open("/import");
    await links.create({ url: "https://example.com/kept", slug: "kept" });
    await links.create({ url: "https://example.com/other", slug: "taken" });
    const path = join(await tempFolder(), "bitly.csv");
    const many = Array.from(
      { length: 1200 },
      (_, at) => `https://example.com/${at},https://bit.ly/own-${at},Link ${at}`,
    );
    await writeFile(
      path,
      [
        "long_url,link,title",
        "https://example.com/kept,https://bit.ly/kept,",
        "https://example.com/new,https://bit.ly/taken,",
        "javascript:alert(1),,",
        '"https://example.com/a,b",https://bit.ly/quoted,"A ""title"""',
        ...many,
      ].join("\r\n"),
    );
    await goto();
    await page.setInputFiles("input[type=file]", path);
    await page.getByText("Bitly export").waitFor();
    await page.getByText("1,201 links can be created, 3 cannot.").waitFor();
    await page.getByText("Row 4").waitFor();
    // The focus is on the preview's heading, and Tab three times leads to the button that starts the import.
    const focused = page.locator(":focus");
    expect(await focused.textContent()).toContain("bitly.csv");
    for (let press = 0; press < 3; press++) await page.keyboard.press("Tab");
    expect(await focused.textContent()).toBe("Import 1,201 links");
    await expectAccessible(page, "the preview");

    // The answer to the first request is lost after the service has done its work.
    let requests = 0;
    await page.route("**/trpc/links.bulkCreate", async (route) => {
      requests += 1;
      if (requests > 1) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Import 1,201 links" }).click();
    await page.getByText("The service is not responding.").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await expectAccessible(page, "a paused import");
    await page.reload();
    await page.getByText("The import is paused.").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("Import complete.").waitFor();
    expect([
      await outcome(page, "Created"),
      await outcome(page, "Already"),
      await outcome(page, "Rejected"),
    ]).toEqual(["1,201", "1", "2"]);
    expect((await links.list({})).meta.total).toBe(1203);
    const lines = (await result(page)).split("\r\n");
    expect(lines.slice(0, 5)).toEqual([
      "row,url,status,short_url,reason",
      expect.stringMatching(/^2,https:\/\/example\.com\/kept,exists,http.*\/kept,$/),
      expect.stringMatching(/^3,https:\/\/example\.com\/new,refused,,.*already taken/),
      "4,javascript:alert(1),refused,,url: must be an absolute http:// or https:// URL",
      expect.stringMatching(/^5,"https:\/\/example\.com\/a,b",created,http.*\/quoted,$/),
    ]);
    await page.getByRole("button", { name: "Another file" }).click();
    await page.getByText("Choose a CSV or JSON file").waitFor();
    expect(await focused.getAttribute("type")).toBe("file");
    expect(complaints.filter((text) => !text.includes("ERR_FAILED"))).toEqual([]);
  });

  it("what a file does not say is asked: its columns, its slugs, and where its links go", async () => {
    const { page, links, complaints, goto } = await open("/import");
    const paste = async (text: string) => {
      await page.getByLabel("Or paste URLs").fill(text);
      await page.getByRole("button", { name: "Continue" }).click();
    };
    const again = () => page.getByRole("button", { name: "Another file" }).click();
    const start = page.getByRole("button", { name: "Import 1 link" });
    await goto();
    await paste("https://example.com/1,ask-1,one|two");
    await page.getByText("The file has no column names").waitFor();
    await expectAccessible(page, "a question about columns");
    await page.getByLabel("Slug").selectOption("Column 2");
    await page.getByLabel("Tags").selectOption("Column 3");
    await page.getByText("1 link can be created.").waitFor();
    await again();

    await paste("url,hash\nhttps://example.com/2,ask-2");
    await page.getByText("The column “hash” looks like slugs.").waitFor();
    expect(await page.getByRole("button", { name: "Import 0 links" }).isDisabled()).toBe(true);
    await expectAccessible(page, "a question about slugs");
    await page.getByRole("button", { name: "Make new short URLs" }).click();
    await page.getByText("Not imported: hash.").waitFor();
    await again();

    await paste("long_url,link\nhttps://example.com/3,https://bit.ly/ask-3");
    await page.getByText("The links were on bit.ly, which isn't one of your domains").waitFor();
    await start.click();
    await page.getByText("Import complete.").waitFor();
    expect((await links.list({})).data.map(({ slug }) => slug)).toEqual(["ask-3"]);
    await again();

    await paste('url,title\nhttps://example.com/4,"open');
    await page.getByText("line 2: a quote opens here and is never closed").waitFor();
    await again();
    const latin1 = join(await tempFolder(), "latin1.csv");
    await writeFile(latin1, Buffer.from("url\nhttps://example.com/Größe", "latin1"));
    await page.setInputFiles("input[type=file]", latin1);
    await page.getByText("is not UTF-8; it looks like Windows-1252 or ISO 8859-1").waitFor();
    expect(complaints).toEqual([]);
  });

  it("a pasted list, beyond the rate limit, cancelled, in the dark on a phone", async () => {
    const { page, links, goto, account } = await open(
      "/import",
      { colorScheme: "dark", viewport: { width: 360, height: 740 } },
      "free",
    );
    await goto();
    await page.getByText("Choose a CSV or JSON file").waitFor();
    await expectAccessible(page, "the first step");
    await page.getByLabel("Or paste URLs").fill("https://example.com/1\nhttps://example.com/2\n\nnonsense");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("2 links can be created, 1 cannot.").waitFor();
    const { limits } = app.core.createContext({ kind: "anonymous" }).deps as BulkDeps;
    for (let used = 1; used < 120; used++) await limits.take("bulk", account.id, {});
    await page.getByRole("button", { name: "Import 2 links" }).click();
    await page.getByText(/Rate limit reached. Continuing in \d+ s./).waitFor();
    await expectAccessible(page, "an import that waits");
    await page.getByRole("button", { name: "Cancel the import" }).click();
    await page.getByText("Import cancelled.").waitFor();
    expect(await result(page)).toContain("1,https://example.com/1,not sent,,");
    expect((await links.list({})).meta.total).toBe(0);
  });

  it("cancelled while a request is under way: what it created is told, and where no answer came, that", async () => {
    const { page, links, goto } = await open("/import");
    const begin = async (name: string) => {
      const urls = Array.from({ length: 1001 }, (_, at) => `https://example.com/${name}/${at}`);
      await page.getByLabel("Or paste URLs").fill(urls.join("\n"));
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("1,001 links can be created.").waitFor();
      await page.getByRole("button", { name: "Import 1,001 links" }).click();
    };
    const cancel = () => page.getByRole("button", { name: "Cancel the import" }).click();
    const kinds = async () =>
      (await result(page))
        .trimEnd()
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(",")[2]);
    await goto();
    await page.getByText("Choose a CSV or JSON file").waitFor();

    const cancelled = Promise.withResolvers<void>();
    let requests = 0;
    await page.route("**/trpc/links.bulkCreate", async (route) => {
      if (isCheck(route.request())) return route.fallback();
      requests += 1;
      const response = await route.fetch();
      await cancelled.promise;
      return route.fulfill({ response });
    });
    await begin("answered");
    await expect.poll(() => requests).toBe(1);
    await cancel();
    await page.getByText("Waiting for the last request").waitFor();
    await expectAccessible(page, "an import that ends");
    cancelled.resolve();
    await page.getByText("Import cancelled.").waitFor();
    expect(await outcome(page, "Created")).toBe("1,000");
    expect(await kinds()).toEqual([...Array<string>(1000).fill("created"), "not sent"]);
    expect([requests, (await links.list({})).meta.total]).toEqual([1, 1000]);

    await page.unroute("**/trpc/links.bulkCreate");
    await page.route("**/trpc/links.bulkCreate", async (route) => {
      if (isCheck(route.request())) return route.fallback();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole("button", { name: "Another file" }).click();
    await begin("unanswered");
    await page.getByText("The service is not responding.").waitFor();
    await cancel();
    await page.getByText("The result for 1,000 links is unknown").waitFor();
    expect(await kinds()).toEqual([...Array<string>(1000).fill("no answer"), "not sent"]);
    expect((await links.list({})).meta.total).toBe(2000);
  });

  it("files in the background: as they are, with columns chosen by hand, and JSON; with progress and results", async () => {
    const { page, links, complaints, goto } = await open("/import");
    const folder = await tempFolder();
    const file = async (name: string, text: string) => {
      const path = join(folder, name);
      await writeFile(path, text);
      await page.setInputFiles("input[type=file]", path);
    };
    const background = page.getByRole("button", { name: "Import in the background" });
    const imports = page.getByRole("region", { name: "Imports in the background" });
    await goto();
    await file("list.csv", "url,slug,other\nhttps://example.com/1,back-1,Hand\njavascript:alert(1),,");
    await background.click();
    await imports.getByText("queued").waitFor();
    await expectAccessible(page, "an import in the background");
    await app.core.jobs.run();
    await imports.getByText("Import complete. 1 created, 0 already there, 1 rejected").waitFor();
    const download = page.waitForEvent("download");
    await imports.getByRole("link", { name: "Download the result" }).click();
    const text = await readFile(await (await download).path(), "utf8");
    expect(text).toMatch(/^\uFEFFrow,.*\r\n2,https:\/\/example\.com\/1,http.*\/back-1,\r\n3,javascript/);

    await file("hand.csv", "url,other,clicks\nhttps://example.com/2,Hand,7");
    await page.getByLabel("Title").selectOption("other");
    await page.getByText("Hand", { exact: true }).waitFor();
    await background.click();
    await file("sink.json", JSON.stringify({ links: [{ slug: "back-3", url: "https://example.com/3" }] }));
    await page.getByRole("cell", { name: "back-3" }).waitFor();
    await background.click();
    await imports.getByText("queued").nth(1).waitFor();
    await imports.getByRole("button", { name: "Cancel the import" }).first().click();
    await imports.getByText("Import cancelled.").waitFor();
    await app.core.jobs.run();
    await expect.poll(async () => imports.getByText("Import complete.").count()).toBe(2);
    const { data } = await links.list({});
    expect(
      data.map(({ destination, title, imported_clicks }) => [destination, title, imported_clicks]),
    ).toEqual([
      ["https://example.com/2", "Hand", 7],
      ["https://example.com/1", null, 0],
    ]);
    expect(complaints).toEqual([]);
  });
});
