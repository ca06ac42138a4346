import { readFile } from "node:fs/promises";
import type { PersonalAccount } from "@terse/core";
import { seed } from "@terse/core/fixtures";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole, zoomed } from "./open.ts";

const { app, open } = await startConsole();

/** Gives an account links with the slugs link-0, link-1 …, the last of which is the first in the list. */
const fill = (account: PersonalAccount, count: number) =>
  app.core.importer.importBatch(
    account,
    Array.from({ length: count }, (_, at) => ({
      fields: {
        url: `https://example.com/${at}`,
        slug: `link-${account.email.replace(/\D/g, "")}-${at}`,
      },
      occurrence: 0,
    })),
  );

/** The links whose rows are in the page, from the top of the list. */
const namesIn = (page: Page) =>
  page.getByRole("listitem").evaluateAll((rows) =>
    (
      rows as {
        getAttribute(name: string): string | null;
        querySelector(s: string): { ariaLabel: string } | null;
      }[]
    )
      .toSorted((a, b) => Number(a.getAttribute("aria-posinset")) - Number(b.getAttribute("aria-posinset")))
      .flatMap((row) => row.querySelector("a")?.ariaLabel ?? []),
  );

describe.skipIf(missing !== null)(`the list of links in a browser${leftOut}`, () => {
  it("filters and sorts as the API does, and the address brings it back", async () => {
    const { page, links, account, complaints, goto } = await open("/");
    await fill(account, 30);
    const [one, two, three] = (await links.list({})).data;
    if (!one || !two || !three) throw new Error("There are no links");
    await links.update({ id: one.id, is_active: 0 });
    await links.update({ id: two.id, password: "secret", expires_at: "2020-01-01T00:00:00Z" });
    const user_agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    for (const { id } of [three, three, two]) await app.core.clicks.record({ link_id: id, user_agent });
    const listed = async (input: Parameters<typeof links.list>[0]) =>
      (await links.list({ limit: 100, ...input })).data.map(({ domain, slug }) => `${domain}/${slug}`);

    await goto();
    await page.getByText("30 links").waitFor();
    const choose = (label: string, words: string) =>
      page.getByLabel(label, { exact: true }).selectOption(words);
    await choose("State", "inactive links");
    await page.getByText("1 link", { exact: true }).waitFor();
    expect(await namesIn(page)).toEqual(await listed({ state: "inactive" }));
    await choose("State", "expired links");
    await choose("Options", "with a password");
    await expect.poll(() => namesIn(page)).toEqual(await listed({ state: "expired", has: "password" }));
    await page.getByRole("button", { name: "Clear filters" }).click();
    await choose("Last click", "no clicks for 30 days");
    await page.getByText("28 links").waitFor();
    await choose("Creation", "created in the last 7 days");
    await choose("Order", "slugs from A to Z");
    await page.waitForURL(/unused=.*sort=slug/);
    await page.reload();
    const first = (await listed({ sort: "slug" })).filter(
      (name) => !name.endsWith(three.slug) && !name.endsWith(two.slug),
    );
    await expect.poll(async () => (await namesIn(page)).slice(0, 5)).toEqual(first.slice(0, 5));
    await choose("Last click", "any click activity");
    await choose("Order", "most clicks first");
    await expect
      .poll(async () => (await namesIn(page)).slice(0, 2))
      .toEqual((await listed({ sort: "-click_count" })).slice(0, 2));
    await choose("Creation", "created between …");
    await page.getByRole("group", { name: "Last day" }).getByRole("spinbutton").first().press("0");
    await page.keyboard.type("1022020");
    await page.getByText("No links match these filters.").waitFor();
    await page.getByRole("button", { name: "Show all links" }).click();
    await page.getByText("30 links").waitFor();
    expect(complaints).toEqual([]);
  });

  it("changes all links that match the filters at once, and shows jobs, which can be cancelled", async () => {
    const { page, links, caller, account, complaints, goto } = await open("/?q=example.com");
    await fill(account, 12);
    await links.create({ url: "https://other.example/" });
    const { job } = await seed(app.core, account, ["job"]);
    await goto();
    await page.getByText("12 links", { exact: true }).waitFor();
    await page.getByText("queued").waitFor();
    await page.getByRole("checkbox").first().click();
    await page.getByRole("button", { name: "Select all 12 matches" }).click();
    await page.getByText("All 12 matches", { exact: true }).waitFor();
    await expectAccessible(page, "all that match, and a job");
    await page.getByRole("button", { name: "Switch off" }).click();
    await page.getByText("Changed 12 links").waitFor();
    expect((await links.list({ state: "inactive" })).meta.total).toBe(12);
    await page.getByText("Changed 12 links").getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone for 12 links").waitFor();
    expect((await links.list({ state: "inactive" })).meta.total).toBe(0);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("queued").waitFor({ state: "detached" });
    expect(await caller.jobs.get({ id: job.id })).toMatchObject({ status: "cancelled" });
    expect(complaints).toEqual([]);
  });

  it("shows any row of a long list where it is scrolled to, and returns to it", async () => {
    const { page, account, links, goto } = await open("/");
    await fill(account, 1000);
    const shown = (await links.list({ page: 8, limit: 100 })).data[50];
    if (!shown) throw new Error("There is no such row");
    await goto();
    await page.getByText("1,000 links").waitFor();
    await page.evaluate("scrollTo(0, 750 * 64)");
    const row = page.getByRole("link", { name: `${shown.domain}/${shown.slug}`, exact: true });
    await row.click();
    await page.getByRole("heading", { name: shown.slug }).waitFor();
    await page.goBack();
    await row.waitFor();
    expect(Number(await page.evaluate("scrollY"))).toBeGreaterThan(40_000);
  });

  it("is worked by keyboard alone, and every change can be undone", async () => {
    const { page, account, links, goto } = await open("/", zoomed);
    await fill(account, 60);
    const all = (await links.list({ limit: 100 })).data;
    const inactive = async () => (await links.list({ state: "inactive" })).data.map(({ id }) => id);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await goto();
    await page.getByText("60 links").waitFor();
    await press("j", "x", "j", "ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "k", " ");
    await page.getByText("3 selected").waitFor();
    const chosen = [0, 2, 4].map((at) => all[at]?.id ?? "");
    await page.getByRole("button", { name: "Switch off" }).press("Enter");
    await page.getByText("Switched off 3 links").waitFor();
    expect((await inactive()).toSorted()).toEqual(chosen.toSorted());
    await press("Control+z");
    await expect.poll(inactive).toEqual([]);

    await press("Escape", "Control+a");
    await page.getByText("50 selected").waitFor();
    await press("Delete");
    await page.getByText("10 links").waitFor();
    await press("Control+z");
    await page.getByText("60 links").waitFor();
    await press("Escape", "j", "j", "Delete");
    await page.getByText("59 links").waitFor();
    expect((await links.list({})).meta.total).toBe(60);
    await page.goto("about:blank"); // leaving the page carries out what could still be undone
    await expect.poll(async () => (await links.list({})).meta.total).toBe(59);
  });

  it("leads by keyboard from the search to its results: one is copied, and all of them are tagged", async () => {
    const { page, account, links, goto } = await open("/");
    await fill(account, 60);
    await links.create({ url: "https://elsewhere.example/" });
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const dialog = page.getByRole("dialog");
    await goto();
    await page.getByText("61 links").waitFor();
    await press("/");
    await page.keyboard.type("example.com/");
    await page.getByText("60 links").waitFor();
    await press("ArrowDown", "y");
    const [first] = (await links.list({ search: "example.com/" })).data;
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(first?.shortUrl);
    await press("Control+a");
    await page.getByText("50 selected").waitFor();
    await press("Control+a");
    await page.getByText("All 60 matches").waitFor();
    await press("Delete");
    await dialog.getByRole("heading", { name: "Delete 60 links?" }).waitFor();
    await press("Enter"); // on what deletes nothing
    await dialog.waitFor({ state: "detached" });
    await press("t");
    await dialog.getByLabel("Add these tags").waitFor();
    await page.keyboard.type("autumn");
    await press("Enter", "Enter");
    await page.getByText("Changed 60 links").waitFor();
    expect((await links.list({ tag: ["autumn"] })).meta.total).toBe(60);
  });

  it("says why a link was not deleted with the others, and shows it again", async () => {
    const { page, account, links, goto } = await open("/");
    await fill(account, 3);
    const [one] = (await links.list({})).data;
    await app.core.moderation.disableLink(one?.id ?? "", "phishing");
    await page.clock.install();
    await goto();
    await page.getByText("3 links").waitFor();
    for (const key of ["Control+a", "Delete"]) await page.keyboard.press(key);
    await page.getByText("Deleted 3 links").waitFor();
    await page.clock.fastForward(8000);
    await page.getByText("disabled this link (phishing)").waitFor();
    await page.getByText("1 link", { exact: true }).waitFor();
    expect((await links.list({})).data.map(({ id }) => id)).toEqual([one?.id]);
  });

  it("copies, exports and ends the links that a mouse selects; axe finds nothing, in both themes and narrow", async () => {
    for (const [colorScheme, width] of [
      ["light", 1280],
      ["dark", 360],
    ] as const) {
      const viewport = { width, height: 800 };
      const { page, account, links, goto, complaints } = await open("/", { colorScheme, viewport });
      await fill(account, 5);
      const all = (await links.list({})).data;
      const [one, , three] = all;
      if (!one || !three) throw new Error("There are no links");
      await links.update({ id: one.id, title: '=1+1, "quoted"' });
      const longSlug = `a-slug-${width}-that-is-longer-than-any-row-of-a-telephone`;
      await links.update({ id: all[4]?.id ?? "", slug: longSlug });
      await goto();
      const box = (slug: string) => page.getByLabel(`Select short.test/${slug}`);
      await box(one.slug).click();
      await box(three.slug).click({ modifiers: ["Shift"] });
      await page.getByText("3 selected").waitFor();
      await expectAccessible(page, "the list with a selection");
      // A slug without end leaves room for some letters of the host, and is whole on a phone.
      const name = page.getByRole("link", { name: "short.test/a-slug" });
      const host = await name.locator(".host").boundingBox();
      expect(host?.width).toBeGreaterThan(48);
      if (width === 360) {
        const isWhole = (element: unknown) => {
          const { scrollWidth, clientWidth } = element as { scrollWidth: number; clientWidth: number };
          return scrollWidth <= clientWidth;
        };
        expect(await name.evaluate(isWhole)).toBe(true);
        const [top, below] = await Promise.all([
          name.boundingBox(),
          page.locator(".row").last().boundingBox(),
        ]);
        expect(top?.height).toBeGreaterThan(44);
        expect((below?.y ?? 0) + (below?.height ?? 0)).toBeGreaterThan((top?.y ?? 0) + (top?.height ?? 0));
      }
      await page.getByRole("button", { name: "Copy short URLs" }).click();
      const urls = all.slice(0, 3).map(({ shortUrl }) => shortUrl);
      await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(urls.join("\n"));
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export CSV" }).click();
      const lines = (await readFile(await (await saving).path(), "utf8")).split("\r\n");
      expect(lines).toHaveLength(5);
      expect(lines[1]).toContain(`${urls[0]},${one.destination},"'=1+1, ""quoted""",0,1,`);
      await page.getByRole("button", { name: "Expire" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Expire", exact: true }).click();
      await dialog.getByText("Enter a full date or choose Never.").waitFor();
      await dialog.getByRole("spinbutton").first().press("0");
      await page.keyboard.type("1012020");
      await expectAccessible(page, "the dialog");
      await dialog.getByRole("button", { name: "Expire", exact: true }).click();
      await page.getByText("3 links expire on").waitFor();
      expect((await links.list({ state: "expired" })).meta.total).toBe(3);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(complaints).toEqual([]);
    }
  });
});
