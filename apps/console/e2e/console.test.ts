import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { leftOut, missing, startConsole } from "./open.ts";

const { app, base, files, newContext, open } = await startConsole();

describe("the console's files", () => {
  it("are one page on every screen's path, which may run only the service's own scripts", async () => {
    for (const path of [
      "/",
      "/links/anything",
      "/analytics",
      "/buckets",
      "/domains",
      "/settings/keys",
      "/signed-in",
    ]) {
      const { status, headers } = await app.ask("GET", path);
      expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(headers.get("cache-control")).toBe("no-cache");
      const policy = headers.get("content-security-policy")?.split("; ");
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "connect-src 'self'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
        ]),
      );
    }
  });

  it("name what a screen loads, and tell a browser without a session that it has none", async () => {
    const scriptsOf = async (screen: string, headers?: Record<string, string>) => {
      const text = await (await app.app.request(screen, headers && { headers })).text();
      const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
      const names = paths.map((path) => /\/([\w]+)-/.exec(path)?.[1]);
      const hasReport = paths.some((path) => files.assets.get(path)?.body.includes("report-top"));
      return { names, hasReport, isForVisitors: text.includes("data-visitor") };
    };
    const session = { Cookie: "session=anything" };
    expect(await scriptsOf("/links/anything")).toEqual({
      names: expect.arrayContaining(["main", "SignIn"]),
      hasReport: false,
      isForVisitors: true,
    });
    expect(await scriptsOf("/links/anything", session)).toEqual({
      names: expect.arrayContaining(["main", "LinkScreen"]),
      hasReport: true,
      isForVisitors: false,
    });
    const { headers } = await app.app.request("/");
    expect(headers.get("vary")).toBe("Cookie, Accept-Language, Accept-Encoding");
  });

  it("never change under their names, and are sent in brotli to clients that take it", async () => {
    const path = [...files.assets.keys()].find((name) => name.endsWith(".js")) ?? expect.fail("no script");
    const plain = await app.app.request(path);
    const small = await app.app.request(path, { headers: { "Accept-Encoding": "gzip, br" } });
    for (const { headers } of [plain, small]) {
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect([headers.get("vary"), headers.get("etag")]).toEqual(["Accept-Encoding", expect.any(String)]);
    }
    const [tag, smallTag] = [plain, small].map(({ headers }) => headers.get("etag") ?? "");
    expect(smallTag).not.toBe(tag); // a strong tag names one sequence of bytes
    expect([plain.headers.get("content-encoding"), small.headers.get("content-encoding")]).toEqual([
      null,
      "br",
    ]);
    const [text, compressed] = [await plain.arrayBuffer(), await small.arrayBuffer()].map((each) =>
      Buffer.from(each),
    );
    expect(brotliDecompressSync(compressed ?? "")).toEqual(text);
    for (const [etag, status] of [
      [tag, 304],
      [smallTag, 200],
    ] as const) {
      const again = await app.app.request(path, { headers: { "If-None-Match": etag ?? "" } });
      expect([again.status, (await again.text()) === ""]).toEqual([status, status === 304]);
    }
  });

  it("are small: the first view loads less than 170 KB, and each screen less than 60 KB more", () => {
    const sizesOf = (page: string) =>
      [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, name = ""]) => {
        const file = files.assets.get(name);
        return [name, (file?.brotli ?? file?.body)?.length ?? Number.NaN] as const;
      });
    const sum = (sizes: readonly (readonly [string, number])[]) =>
      sizes.reduce((total, [, size]) => total + size, 0);
    const { pages, signIn } = files.byLanguage.get("en") ?? { pages: new Map(), signIn: undefined };
    const first = sizesOf(pages.get("/")?.body.toString() ?? "");
    expect(first.some(([name]) => name.endsWith(".js"))).toBe(true);
    expect(sum(first)).toBeLessThan(170_000);
    const known = new Set(first.map(([name]) => name));
    for (const [path, { body }] of [...pages, ["sign-in", signIn] as const]) {
      const more = sizesOf(body.toString()).filter(([name]) => !known.has(name));
      expect([path, sum(more) < 60_000]).toEqual([path, true]);
      // A phone asks for few files at once.
      expect([path, more.length < 10]).toEqual([path, true]);
    }
  });
});

describe.skipIf(missing !== null)(`in a browser${leftOut}`, () => {
  it("a person signs in and arrives at the screen that was asked for", async () => {
    const page = await (await newContext()).newPage();
    await page.goto(`${base}/analytics?period=7d`);
    await page.getByRole("link", { name: "Sign in with Oidc" }).click();
    await page.getByLabel("Who").fill("ada");
    await page.getByRole("button", { name: "Go" }).click();
    await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
    expect(page.url()).toBe(`${base}/analytics?period=7d`);
    await page.getByText("Analytics need the Pro plan").waitFor();
  });

  it("creates a link from a pasted URL, edits it, and deletes it unless that is undone", async () => {
    const { page, links, complaints, goto } = await open("/");
    await goto();
    await page.getByText("No links yet").waitFor();
    await page.evaluate("navigator.clipboard.writeText('example.com/a/long/address')");
    await page.keyboard.press("Control+v");
    const panel = page.getByRole("dialog");
    await panel.getByLabel("Slug").fill("pasted");
    await page.keyboard.press("Enter");
    await page.getByText("Created short.test/pasted and copied it").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("http://short.test/pasted");
    const [created] = (await links.list({})).data;
    expect(created).toMatchObject({ destination: "https://example.com/a/long/address", slug: "pasted" });

    await page.getByRole("link", { name: "short.test/pasted" }).click();
    await page.getByRole("heading", { name: "short.test/pasted" }).waitFor();
    await page.keyboard.press("e");
    await panel.getByLabel("Title").fill("A title");
    await panel.getByLabel("Slug").fill("no spaces");
    await panel.getByRole("button", { name: "Save" }).click();
    await panel.locator(".wrong").waitFor();
    expect(await panel.getByLabel("Slug").getAttribute("aria-invalid")).toBe("true");
    await panel.getByLabel("Slug").fill("changed");
    await panel.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "short.test/changed" }).waitFor();
    await page.getByText("Saved short.test/changed").waitFor(); // the heading does not wait for the answer
    expect((await links.list({})).data[0]).toMatchObject({ slug: "changed", title: "A title" });

    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No links yet").waitFor();
    await page.getByText("Deleted short.test/changed").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "short.test/changed" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No links yet").waitFor();
    expect((await links.list({})).meta.total).toBe(1);
    await page.goto("about:blank"); // leaving the page carries out what could still be undone
    await expect.poll(async () => (await links.list({})).meta.total).toBe(0);
    // The browser reports the refused slug, and that a slug is not taken yet.
    expect(complaints.filter((text) => !/status of 40[04]/.test(text))).toEqual([]);
  });
});
