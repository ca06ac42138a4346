import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole, zoomed } from "./open.ts";

const { app, open } = await startConsole();

const isFocused = async (target: Locator) => (await target.and(target.page().locator(":focus")).count()) > 0;
const hasFocus = (target: Locator) =>
  expect.poll(() => isFocused(target), { message: target.toString() }).toBe(true);

/** Presses Tab until an element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let press = 0; press < 60; press++) {
    if (await isFocused(target)) return;
    await page.keyboard.press("Tab");
  }
  expect.fail(`${target.toString()} cannot be reached by Tab`);
}

describe.skipIf(missing !== null)(`the builder, by keyboard alone${leftOut}`, () => {
  it("creates a link with every option, and says before who will end up where", async () => {
    const { page, links, complaints, goto } = await open("/", { ...zoomed, timezoneId: "America/New_York" });
    const other = await open("/");
    await other.links.create({ url: "https://example.com/", slug: "taken-in-builder" });
    await goto();
    await page.getByText("No links yet").waitFor();
    await page.keyboard.press("c");
    const panel = page.getByRole("dialog", { name: "Create a link" });
    const named = (name: string) => panel.getByRole("button", { name, exact: true });
    await hasFocus(panel.getByLabel("Destination"));
    await page.keyboard.type("htps://example.com/launch");
    await tabTo(page, named("Use it"));
    await page.keyboard.press("Enter");
    expect(await panel.getByLabel("Destination").inputValue()).toBe("https://example.com/launch");

    await tabTo(page, panel.getByLabel("Slug"));
    await page.keyboard.type("taken-in-builder");
    await panel.getByText('"taken-in-builder" is already taken').waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("launch-in-builder");
    await panel.getByText("free ✓").waitFor();
    await panel.getByRole("img", { name: "QR code of http://short.test/launch-in-builder" }).waitFor();

    await tabTo(page, named("+ Countries"));
    await page.keyboard.press("Enter");
    await hasFocus(panel.getByRole("combobox", { name: "Country" }));
    // So fast that the list has not marked a country when Enter comes.
    await Promise.all(["g", "e", "r", "m", "Enter"].map((key) => page.keyboard.press(key)));
    await tabTo(page, panel.getByLabel("URL for Germany"));
    await page.keyboard.type("example.com/de");

    await tabTo(page, named("+ A/B test"));
    await page.keyboard.press("Enter");
    await hasFocus(panel.getByLabel("URL of B"));
    await page.keyboard.type("example.com/launch-b");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await hasFocus(panel.getByRole("slider", { name: "Divider between A and B" }));
    for (let press = 0; press < 5; press++) await page.keyboard.press("ArrowLeft");
    expect(await panel.getByLabel("Share of B in percent").inputValue()).toBe("55");

    await tabTo(page, named("+ Expiry"));
    await page.keyboard.press("Enter");
    await panel.getByText("Time in America/New_York").waitFor();
    await tabTo(page, panel.locator(".time-box button"));
    await page.keyboard.press("Enter");
    await page.getByRole("grid").waitFor();
    await page.keyboard.press("PageDown"); // a month later
    await page.keyboard.press("Enter");
    await page.getByRole("grid").waitFor({ state: "detached" });

    const said = panel.getByRole("region", { name: "Where visitors go" }).getByRole("listitem");
    await expect
      .poll(() => said.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^germany\s+\/de$/i),
        expect.stringMatching(/^everyone else\s+45% \/launch · 55% \/launch-b$/i),
        expect.stringMatching(/^from .+: everyone\s+the “link expired” page/i),
      ]);
    await expectAccessible(page, "the builder with every option");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Created short.test/launch-in-builder and copied it").waitFor();

    const [link] = (await links.list({})).data;
    const expires_at = link?.expires_at ?? expect.fail("no expiry");
    expect(link).toMatchObject({
      destination: "https://example.com/launch",
      slug: "launch-in-builder",
      geo_rules: [{ country: "DE", url: "https://example.com/de" }],
      ab_test: {
        variants: [
          { url: "https://example.com/launch", weight: 45 },
          { url: "https://example.com/launch-b", weight: 55 },
        ],
      },
    });
    const id = link?.id ?? "";
    // What was said before is what the saved link does.
    expect((await links.explain({ id, country: "DE" })).location).toBe("https://example.com/de");
    expect((await links.explain({ id })).variants?.map(({ share }) => share)).toEqual([0.45, 0.55]);
    expect((await links.explain({ id, at: expires_at })).outcome).toBe("gone");
    // The browser reports what was asked about while a URL was half typed, and refused.
    expect(complaints.filter((text) => !text.includes("status of 400"))).toEqual([]);
  });

  it("asks before it loses what was typed, changes a link, and puts it back as it was", async () => {
    const { page, links, goto } = await open("/", {
      colorScheme: "dark",
      viewport: { width: 360, height: 780 },
    });
    const before = await links.create({
      url: "https://example.com/old",
      title: "Old",
      geo_rules: [
        { country: "DE", url: "https://example.com/de" },
        { country: "FR", url: "https://example.com/fr" },
      ],
    });
    const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    for (const country of ["DE", "FR", "FR"])
      await app.core.clicks.record({
        link_id: before.id,
        time: Date.now(),
        address: "192.0.2.1",
        user_agent: browser,
        referrer: "",
        country,
        flags: 0,
        variant: -1,
      });
    await app.core.clicks.drain();
    await goto();
    const row = page.getByRole("link", { name: `short.test/${before.slug}` });
    await tabTo(page, row);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: `short.test/${before.slug}` }).waitFor();
    await page.keyboard.press("e");
    const panel = page.getByRole("dialog", { name: "Edit the link" });
    await tabTo(page, panel.getByLabel("Title"));
    await page.keyboard.type("New");
    await page.keyboard.press("Escape");
    await hasFocus(panel.getByRole("button", { name: "Keep editing" }));
    await page.keyboard.press("Escape");
    await hasFocus(panel.getByLabel("Title"));
    expect(await panel.getByLabel("Title").inputValue()).toBe("New");

    await tabTo(page, panel.getByRole("button", { name: "Move France up" }));
    await page.keyboard.press("Enter");
    await hasFocus(panel.getByRole("button", { name: "Move France down" }));
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter"); // removes France
    await hasFocus(panel.getByRole("button", { name: "Add a country" }));
    await panel.getByRole("button", { name: "Test against the last 30 days" }).click();
    const moves = panel.getByRole("region", { name: "What if" });
    await moves.getByText("2 of 3 clicks would have gone elsewhere.").waitFor();
    expect(await moves.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(/^\/old\s+0 → 2$/),
      expect.stringMatching(/^\/fr\s+2 → 0$/),
      expect.stringMatching(/^\/de\s+1 → 1$/),
    ]);
    await moves.getByText("Examples").click();
    expect(await moves.getByRole("listitem").last().innerText()).toMatch(/^France · .*\s+2\s+\/fr → \/old$/);
    await expectAccessible(page, "the builder of a link");
    await page.keyboard.press("Control+Enter");
    await page.getByText(`Saved short.test/${before.slug}`).waitFor();
    const changed = { title: "New", geo_rules: [{ country: "DE", url: "https://example.com/de" }] };
    expect(await links.get({ id: before.id })).toMatchObject(changed);

    await page.keyboard.press("Control+z");
    await page.getByText("Restored ").waitFor();
    const { click_count, last_click_at, updated_at } = before;
    expect({ ...(await links.get({ id: before.id })), click_count, last_click_at, updated_at }).toEqual(
      before,
    );
  });

  it("saves nothing while an opened part is empty, and says so at that part", async () => {
    const { page, links, goto } = await open("/");
    await goto();
    await page.getByText("No links yet").waitFor();
    await page.keyboard.press("c");
    const panel = page.getByRole("dialog", { name: "Create a link" });
    await panel.getByLabel("Destination").fill("https://example.com/empty-part");
    for (const part of ["Notes", "Password", "Expiry", "Countries", "A/B test"]) {
      await panel.getByRole("button", { name: `+ ${part}` }).press("Enter");
      // At once, before what the part needs is loaded.
      await page.keyboard.press("Control+Enter");
      const section = panel.getByRole("region", { name: part, exact: true });
      await section.locator(".wrong").first().waitFor();
      await panel.getByRole("button", { name: `Remove ${part}`, exact: true }).click();
      await section.waitFor({ state: "detached" });
    }
    expect((await links.list({})).meta.total).toBe(0);

    // A list of which all rows were removed is empty, too.
    await panel.getByRole("button", { name: "+ Countries" }).click();
    await panel.getByRole("button", { name: "Remove rule 1" }).click();
    await page.keyboard.press("Control+Enter");
    await panel.getByText("Fill in this section or remove it.").waitFor();
    await panel.getByRole("button", { name: "Remove Countries" }).click();

    // What is typed and not yet a tag becomes one.
    await panel.getByLabel("Tags", { exact: true }).pressSequentially("typed");
    await page.keyboard.press("Control+Enter");
    await page.getByText(/^Created short\.test/).waitFor();
    expect((await links.list({})).data.map(({ tags, has_password }) => [tags, has_password])).toEqual([
      [["typed"], false],
    ]);
  });
});
