import { png } from "@terse/testkit/png";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { scan, svgOf } from "../../../packages/core/test/links/qr/scan.ts";
import { startApp } from "../../http/test/client.ts";
import { leftOut, missing, settled, startConsole, zoomed } from "./open.ts";

const { app, base, open } = await startConsole();
/** Its core is closed, so that every call is an internal error. */
const broken = await startApp();
await broken.core.close();

/** What a scanner reads on the screen. */
const scanned = async (page: Page, name: string) =>
  scan(svgOf((await page.getByRole("img", { name }).first().screenshot()).toString("base64")));

const script = `<img src=x onerror="alert(1)">`;

describe.skipIf(missing !== null)(`in a browser${leftOut}`, () => {
  it("a QR code is given colours, and read from the screen, the clipboard, the file and the print sheet", async () => {
    const { page, links, complaints, goto } = await open("/");
    const { id, shortUrl } = await links.create({ url: "https://example.com/", slug: "scanned" });
    await goto();
    await page.getByRole("link", { name: "short.test/scanned" }).click();
    await page.getByRole("heading", { name: "short.test/scanned" }).waitFor();
    await page.keyboard.press("q");
    await page.getByRole("textbox", { name: "Colour", exact: true }).fill("#ffcc00");
    await page.getByText("Phones can't scan these colours (contrast 1.5:1)").waitFor();
    expect(await page.getByRole("button", { name: "PNG" }).isDisabled()).toBe(true);
    // The code is shown in the colours that were chosen.
    await page.locator('.qr-code svg path[fill="#ffcc00"]').first().waitFor();

    await page.getByRole("textbox", { name: "Colour", exact: true }).fill("#0f6b52");
    await page.getByText("Phones can scan these colours (contrast 6.5:1)").waitFor();
    await page.getByText("30 %", { exact: true }).click();
    await page.waitForURL(/color=%230f6b52&level=H/);
    await page.locator('img[src*="0f6b52"][src*="level=H"]').waitFor();
    await settled(page);
    expect(await scanned(page, "QR code of")).toBe(shortUrl);

    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "PNG" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("scanned.png");
    const chunks = await (await file.createReadStream()).toArray();
    const image = await links.qr({ id, format: "png", size: 1024, color: "#0f6b52", level: "H" });
    expect(Buffer.concat(chunks).toString("base64")).toBe(image.body);

    await page.getByRole("button", { name: "Copy the image" }).click();
    await page.getByText("Copied the QR code of short.test/scanned").waitFor();
    const copied = await page.evaluate<string>(`navigator.clipboard.read().then(async ([item]) => {
      const bytes = new Uint8Array(await (await item.getType("image/png")).arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    })`);
    expect(scan(svgOf(copied))).toBe(shortUrl);

    await page.getByRole("link", { name: "Print sheet" }).click();
    await page.getByLabel("Copies of each").fill("3");
    await expect.poll(() => page.getByRole("list", { name: "Page 1 of 1" }).getByRole("img").count()).toBe(3);
    await page.emulateMedia({ media: "print" });
    expect(await scanned(page, "QR code of")).toBe(shortUrl);
    // What was used last is where Q begins the next time.
    await page.emulateMedia({ media: "screen" });
    await page.goto(`${base}/links/${id}`);
    await page.getByRole("button", { name: "Edit" }).waitFor();
    await page.keyboard.press("q");
    await page.waitForURL(/color=%230f6b52&level=H/);

    // A logo that replaces another is in the image at once, and wherever else the code is shown.
    const middle = (selector: string) =>
      page.evaluate<boolean[]>(`(() => {
        const image = document.querySelector("${selector}");
        const drawing = new OffscreenCanvas(100, 100).getContext("2d");
        drawing.drawImage(image, 0, 0, 100, 100);
        return Array.from(drawing.getImageData(50, 50, 1, 1).data.slice(0, 3), (byte) => byte > 127);
      })()`);
    for (const color of [
      [true, false, false],
      [false, false, true],
    ]) {
      const logo = png(40, 40, () => [...color, true].map((isFull) => (isFull ? 255 : 0)));
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
      await expect.poll(() => middle(".qr-code img")).toEqual(color);
      if (color[0]) await page.getByRole("button", { name: "Save for this link" }).click();
      await page.getByRole("button", { name: "Saved", exact: true }).waitFor();
      await page.keyboard.press("Escape");
      await page.locator(".qr img").waitFor();
      await expect.poll(() => middle(".qr img")).toEqual(color);
      await page.locator("a.qr").click();
      await page.locator(".qr-code img").waitFor();
    }

    // The look is kept with the link: for the API, the print sheet, and after an undo no more.
    const look = { color: "#0f6b52", background: "#ffffff", level: "H", logo: true };
    expect((await links.get({ id })).qr).toMatchObject(look);
    expect((await links.qr({ id })).body).toContain('fill="#0f6b52"');
    await page.goto(`${base}/qr?ids=${id}`);
    await page.locator('.paper img[src*="0f6b52"]').waitFor();
    await page.goto(`${base}/links/${id}/qr`);
    await page.getByRole("button", { name: "Reset design" }).click();
    await page.getByText("Reset the design of short.test/scanned").waitFor();
    expect((await links.get({ id })).qr).toBeNull();
    await page.keyboard.press("Control+z");
    await page.locator('.qr-code img[src*="0f6b52"]').waitFor();
    expect((await links.get({ id })).qr).toMatchObject(look);
    expect(complaints).toEqual([]);
  });

  it("a link's page says what visitors get, and switches it off and on again", async () => {
    const { page, links, complaints, goto } = await open("/");
    const { id } = await links.create({
      url: "https://example.com/",
      slug: "explained",
      geo_rules: [{ country: "DE", url: "https://example.com/de" }],
      ab_test: {
        variants: [
          { url: "https://example.com/a", weight: 3 },
          { url: "https://example.com/b", weight: 1 },
        ],
      },
    });
    await goto();
    await page.getByRole("link", { name: "short.test/explained" }).click();
    const facts = page.getByRole("complementary");
    await facts.getByText("From Germany").waitFor();
    expect((await facts.getByRole("listitem").allTextContents()).slice(0, 2)).toEqual([
      "75% example.com/a",
      "25% example.com/b",
    ]);
    await facts.getByText("What would a visitor see?").click();
    await facts.getByLabel("Visitor's country").selectOption("DE");
    await facts.getByText("https://example.com/de").waitFor();
    const { reasons } = await links.explain({ id, country: "DE", unlocked: true });
    for (const reason of reasons) await facts.getByText(reason).waitFor();
    expect(page.url()).toContain("visitor=DE");

    await facts.getByRole("button", { name: "Switch off" }).click();
    await facts.getByText("Switched off.").waitFor();
    await page.getByText("Switched off short.test/explained").waitFor();
    expect((await links.get({ id })).is_active).toBe(0);
    await page.keyboard.press("Control+z");
    await page.getByText("Switched on short.test/explained").waitFor();
    expect((await links.get({ id })).is_active).toBe(1);

    await app.core.moderation.disableLink(id, "reported as phishing");
    await page.reload();
    await facts.getByText(`reported as phishing`).waitFor();
    await facts.getByText(`contact them and mention link ${id}`).waitFor();
    expect(await facts.getByRole("button", { name: "Switch" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("everything is found by keyboard alone, and single-key shortcuts can be switched off", async () => {
    const { page, links, complaints, goto } = await open("/settings", zoomed);
    await links.create({ url: "https://example.com/", slug: "found", title: "The autumn sale" });
    await goto();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    const openPalette = async () => {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.role")).toBe("combobox");
    };
    await openPalette();
    await page.keyboard.type("autumn");
    await page.getByRole("option", { name: "short.test/found The autumn sale", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "short.test/found" }).waitFor();

    await page.keyboard.press("?");
    const list = page.getByRole("dialog");
    await list.getByText("Design the QR code").waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    // Escape closes also what is still being loaded.
    const loaded = Promise.withResolvers<void>();
    await page.route("**/assets/ShortcutList*", async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByRole("heading", { name: "short.test/found" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "detached" });
    loaded.resolve();
    await settled(page);
    expect(await list.count()).toBe(0);
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await page.getByRole("heading", { name: "Domains" }).waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("search");

    await openPalette();
    await page.getByRole("option", { name: "short.test/found", selected: false }).first().waitFor();
    await page.keyboard.type("single-key");
    await page.getByRole("option", { name: "Switch single-key shortcuts off", selected: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // The focus goes back to where it was.
    await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("search");
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("g");
    await page.keyboard.press("d");
    await openPalette();
    // With no time between text and key, as on a machine that is busy.
    await page.evaluate(`document.execCommand("insertText", false, "analytics");
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));`);
    await page.getByRole("heading", { name: "Analytics" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("a short URL opens its link wherever it is pasted or typed", async () => {
    const { page, links, complaints, goto } = await open("/analytics");
    await links.create({ url: "https://example.com/", slug: "target-❤", title: "Target" });
    await links.create({ url: "https://example.org/?from=http://short.test/target-❤/x", slug: "decoy" });
    await goto();
    const isOpen = () => page.getByRole("heading", { name: "short.test/target-❤" }).waitFor();
    const copy = (text: string) => page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.getByRole("heading", { name: "Analytics" }).waitFor();
    await copy("http://short.test/target-%E2%9D%A4%EF%B8%8F");
    await page.keyboard.press("Control+v");
    await isOpen();

    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.getByRole("searchbox").fill("short.test/target-❤");
    await page.getByRole("searchbox").press("Enter");
    await isOpen();
    await page.goBack();
    await page.getByRole("searchbox").fill("");
    await copy("short.test/target-❤).");
    await page.getByRole("searchbox").press("Control+v");
    await isOpen();

    for (const enter of [
      () => page.keyboard.press("Control+v"),
      async () => {
        await page.keyboard.insertText("https://short.test/target-❤");
        await page.getByRole("option", { name: "short.test/target-❤", selected: true }).waitFor();
        await page.keyboard.press("Enter");
      },
    ]) {
      await page.keyboard.press("g");
      await page.keyboard.press("a");
      await page.getByRole("heading", { name: "Analytics" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.role")).toBe("combobox");
      await enter();
      await isOpen();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    expect(complaints).toEqual([]);
  });

  it("goes where it was told to, though a search begins meanwhile", async () => {
    const { page, goto } = await open("/");
    const loaded = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route("**/assets/AnalyticsScreen*", async (route) => {
      asked.resolve();
      await loaded.promise;
      await route.continue();
    });
    await goto();
    await page.getByRole("searchbox").fill("autumn");
    await page.getByRole("link", { name: "Analytics" }).evaluate((link: { click(): void }) => link.click());
    await asked.promise;
    // A timer that is later than that of the search
    await page.getByRole("searchbox").fill("autumn sale");
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 200))");
    loaded.resolve();
    await page.getByRole("heading", { name: "Analytics" }).waitFor();
  });

  it("keeps what it shows while the service is slow, fails, or does not answer, and says so", async () => {
    const { page, context, links, goto } = await open("/");
    const { id } = await links.create({ url: "https://example.com/", slug: "kept" });
    await goto();
    const row = page.getByRole("link", { name: "short.test/kept" });
    await row.waitFor();

    // Slow: the screen is there before its answer, with the form of what will come.
    const answer = Promise.withResolvers<void>();
    await page.route("**/trpc/links.get**", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await row.click();
    await page.locator("main .skeleton").first().waitFor();
    answer.resolve();
    const heading = page.getByRole("heading", { name: "short.test/kept" });
    await heading.waitFor();
    await settled(page);
    await page.unroute("**/trpc/links.get**");

    // Failing: what was shown stays, and what was typed, too.
    await page.route("**/trpc/**", async (route) => {
      const request = route.request();
      const failed = await broken.app.request(request.url(), {
        method: request.method(),
        body: request.postData(),
        headers: { "Content-Type": "application/json", Authorization: "Bearer terse_x" },
      });
      const headers = Object.fromEntries(failed.headers);
      await route.fulfill({ status: failed.status, headers, body: await failed.text() });
    });
    await page.getByRole("button", { name: "Switch off" }).click();
    await page.getByText("Not saved: Internal server error").waitFor();
    const notice = page.getByText(
      /Something failed on our side\. This may be out of date\. Request [\w-]{36}/,
    );
    await notice.waitFor();
    await page.getByRole("button", { name: "Switch off" }).waitFor();
    await page.keyboard.press("e");
    const title = page.getByRole("dialog").getByLabel("Title");
    await title.fill("Typed before");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByRole("alert").getByText("Internal server error").waitFor();
    expect(await title.inputValue()).toBe("Typed before");
    await page.unroute("**/trpc/**");

    await context.setOffline(true);
    await page.getByText("You are offline. What you typed is kept.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").getByText("The service is not responding.").waitFor();
    expect(await title.inputValue()).toBe("Typed before");
    await context.setOffline(false);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved short.test/kept").waitFor();
    expect((await links.get({ id })).title).toBe("Typed before");
    await notice.waitFor({ state: "detached" });
  });

  it("shows scripts in every text as text", async () => {
    const { page, links, caller, account, complaints, goto } = await open("/");
    const { id } = await links.create({
      url: `https://example.com/?q=${script}#${script}`,
      slug: "script",
      title: script,
    });
    await caller.buckets.create({ name: script, links: [{ title: script, url: "https://example.com/" }] });
    await app.core.keys.issue(account.id, script);
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await goto();
    for (const path of ["/", `/links/${id}`, `/qr?ids=${id}`, "/buckets", "/settings/keys"]) {
      await page.goto(base + path);
      await page.getByText(script).first().waitFor();
    }
    await page.goto(`${base}/?q=${encodeURIComponent(script)}`);
    await page.getByRole("link", { name: "short.test/script" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: `short.test/script ${script}` }).waitFor();
    expect([dialogs, complaints]).toEqual([[], []]);
  });

  it("keeps a message while the pointer is on it, and what it tells can be undone until it goes", async () => {
    const { page, links, complaints, goto } = await open("/");
    const { id } = await links.create({ url: "https://example.com/", slug: "held" });
    await page.clock.install();
    await goto();
    await page.getByRole("link", { name: "short.test/held" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    const toast = page.getByText("Deleted short.test/held");
    await toast.hover();
    await page.clock.fastForward(20_000);
    await toast.waitFor();
    expect((await links.get({ id })).id).toBe(id);
    await page.mouse.move(0, 0);
    await page.clock.fastForward(20_000);
    await toast.waitFor({ state: "detached" });
    await expect.poll(async () => (await links.list({})).meta.total).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("offers a new version, and a way out of a screen that cannot be loaded", async () => {
    const { page, links, goto } = await open("/");
    const { id } = await links.create({ url: "https://example.com/", slug: "newer" });
    await page.clock.install();
    await goto();
    await page.getByRole("link", { name: "short.test/newer" }).waitFor();
    await page.route("**/assets/QrScreen*", (route) => route.abort());
    await page.goto(`${base}/links/${id}/qr`);
    await page.getByRole("heading", { name: "This screen couldn't be shown" }).waitFor();
    await page.unroute("**/assets/QrScreen*");
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "QR code" }).waitFor();

    await page.clock.fastForward(61_000);
    const isAsked = () => page.waitForResponse((response) => response.url() === `${base}/`);
    await Promise.all([isAsked(), page.evaluate("dispatchEvent(new Event('focus'))")]);
    expect(await page.getByText("A new version of the console").count()).toBe(0);
    // A page of another build names another script.
    await page.route(`${base}/`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace("/assets/main-", "/assets/main-2"),
      });
    });
    await page.clock.fastForward(61_000);
    await Promise.all([isAsked(), page.evaluate("dispatchEvent(new Event('focus'))")]);
    await page.getByText("A new version of the console").waitFor();
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByText("A new version of the console").waitFor({ state: "detached" });
  });

  it("names its tabs, and writes dates and numbers in the language that was chosen", async () => {
    const { page, links, caller, goto } = await open("/settings/preferences");
    const { id } = await links.create({
      url: "https://example.com/",
      slug: "named-tab",
      click_limit: 12_345,
    });
    await goto();
    await expect.poll(() => page.title()).toBe("Preferences – Settings – Terse");
    await page.getByLabel("Language").selectOption("de");
    await expect.poll(() => page.title()).toBe("Darstellung – Einstellungen – Terse");
    await page.goto(`${base}/links/${id}`);
    await expect.poll(() => page.title()).toBe("short.test/named-tab – Terse");
    await page.getByText("0 von 12.345 Klicks").waitFor();
    const { created_at } = await caller.links.get({ id });
    const written = new Intl.DateTimeFormat("de", { dateStyle: "medium", timeStyle: "medium" }).format(
      new Date(created_at),
    );
    await page.locator(`[title="${written}"]`).first().waitFor();
    await page.goto(`${base}/`);
    await expect.poll(() => page.title()).toBe("Links – Terse");
  });

  it("asks nothing for an account on the Free plan that the plan does not include", async () => {
    const { page, links, complaints, goto } = await open("/", {}, "free");
    const { id } = await links.create({ url: "https://example.com/", slug: "free-of-refusals" });
    const refused: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${new URL(answer.url()).pathname}`);
    });
    await goto();
    const sections = [
      "profile",
      "plan",
      "sign-in",
      "keys",
      "assistants",
      "webhooks",
      "tags",
      "activity",
      "data",
    ];
    for (const path of [
      "/",
      "/?new=https://example.com",
      `/links/${id}`,
      `/links/${id}?edit=true`,
      `/links/${id}/qr`,
      `/qr?ids=${id}`,
      "/analytics",
      "/buckets",
      "/domains",
      "/import",
      "/changes",
      ...sections.map((section) => `/settings/${section}`),
    ]) {
      await page.goto(base + path);
      await page.getByRole("main").waitFor();
      await settled(page);
      expect([path, refused]).toEqual([path, []]);
    }
    expect(complaints).toEqual([]);
  });

  it("stays English if the texts of another language do not load", async () => {
    const { page, goto } = await open("/", { locale: "de-DE" });
    await page.route("**/assets/de-*.js", (route) => route.abort());
    await goto();
    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
    expect(await page.evaluate("document.documentElement.lang")).toBe("en");
  });
});
