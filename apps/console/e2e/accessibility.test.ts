import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, settled, startConsole } from "./open.ts";

const { app, base, open } = await startConsole();

/** A screen, or a dialog on it, and what is there when it is complete. */
interface View {
  path: string;
  /** Opens a dialog */
  keys?: string;
  button?: string;
  ready: (page: Page) => Promise<unknown>;
}

const heading = (name: string) => (page: Page) => page.getByRole("heading", { name }).first().waitFor();
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor();
const field = (name: string) => (page: Page) => page.getByRole("dialog").getByLabel(name).first().waitFor();
const dialog = (page: Page) => page.getByRole("dialog").waitFor();
const row = (page: Page) => page.locator("tbody tr:visible").first().waitFor();

const day = "2025-03-12";
const thatDay = `from=${day}&to=${day}`;

/** Every screen of an account with one link, which has every option, and one page. */
const viewsOf = (link: string, page: string): View[] => [
  { path: "/", ready: (each) => each.getByRole("listitem").first().waitFor() },
  { path: "/", keys: "c", ready: field("Slug") },
  { path: "/", keys: "Control+k", ready: (each) => each.getByRole("dialog").getByRole("combobox").waitFor() },
  { path: "/", keys: "?", ready: dialog },
  { path: "/go?q=example", ready: (each) => each.locator("a.go-link").first().waitFor() },
  { path: `/links/${link}?visitor=DE&${thatDay}`, ready: text("Places") },
  { path: `/links/${link}?edit=true`, ready: field("Slug") },
  { path: `/links/${link}?${thatDay}&table=chart`, ready: row },
  { path: `/links/${link}/qr`, ready: (each) => each.getByRole("img").first().waitFor() },
  { path: `/qr?ids=${link}&copies=13`, ready: (each) => each.getByRole("img").first().waitFor() },
  {
    path: `/analytics?${thatDay}&compare=["${link}"]`,
    async ready(each) {
      await each.locator(".by-country").scrollIntoViewIfNeeded(); // the map replaces what stands for it
      await each.locator(".world-map path").first().waitFor();
    },
  },
  { path: `/analytics?${thatDay}`, button: "Export", ready: dialog },
  { path: `/analytics?${thatDay}`, button: "+ Filter", ready: dialog },
  { path: "/import", ready: heading("Import") },
  { path: "/buckets", ready: text("Made for the walk") },
  { path: `/buckets?edit=${page}`, ready: field("Name") },
  { path: "/domains", ready: (each) => each.getByLabel("Domain").waitFor() },
  { path: "/changes", ready: (each) => each.locator(".change-row").first().waitFor() },
  ...[
    "profile",
    "plan",
    "workspace",
    "people",
    "sign-in",
    "keys",
    "webhooks",
    "tags",
    "activity",
    "preferences",
    "data",
  ].map((section) => ({
    path: `/settings/${section}`,
    ready: (each: Page) => each.locator(".sections h2").first().waitFor(),
  })),
  { path: "/settings/keys?new=true", ready: dialog },
  { path: "/changes", ready: heading("Changes") },
  { path: "/activity", ready: (each) => each.locator(".change-row").first().waitFor() },
  { path: "/operator", ready: text("Clicks not counted yet") },
  { path: "/operator?view=workspaces", ready: row },
  { path: "/operator?view=people", ready: row },
  { path: "/operator?view=reports", ready: heading("Operator") },
];

/** The gate walks once; the other combinations repeat it. */
const others = [
  ["light", 360],
  ["light", 768],
  ["light", 1280],
  ["dark", 768],
  ["dark", 1280],
] as const;
/** Stops a hang */
const timeout = 300_000;

describe.skipIf(missing !== null)(`every screen${leftOut}`, () => {
  const title = "has no axe violations, and is no wider than the window, in either direction: %s, %i pixels";
  it.each([["dark", 360]] as const)(title, { timeout }, isAccessible);
  it.each(others)(title, { timeout, tags: ["long"] }, isAccessible);

  async function isAccessible(colorScheme: "light" | "dark", width: number): Promise<void> {
    const { page, account, caller, links, complaints } = await open("/", {
      colorScheme,
      reducedMotion: "reduce",
      viewport: { width, height: 800 },
    });
    await app.core.accounts.setOperator(account.email, true);
    const { id } = await links.create({
      url: `https://example.com/${"a-long-path/".repeat(12)}`,
      title: "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen <img src=x onerror=alert(1)>",
      slug: `Rindfleischetikettierungsueberwachungsaufgaben-${colorScheme}-${width}`,
      password: "secret",
      expires_at: "2100-01-01T00:00:00Z",
      geo_rules: [{ country: "DE", url: "https://example.com/de" }],
      ab_test: { variants: [1, 2].map((at) => ({ url: `https://example.com/${at}`, weight: at })) },
      rules: [
        { when: { device: ["mobile"], language: ["de"] }, url: "https://example.com/mobile", name: "Phones" },
      ],
      click_limit: 1000,
      fallback_url: "https://example.com/ended",
      forward_query: "keep",
      preview: { title: "A title", description: "A description" },
      tags: ["launch", "Schifffahrtsgesellschaft"],
      notes: "Agreed with Ada.",
    });
    const { id: bucket } = await caller.buckets.create({
      name: "Made for the walk",
      links: [{ title: "Shop", url: "https://example.com/shop" }],
    });
    for (const country of ["DE", "FR"]) {
      const time = Date.parse(`${day}T10:20:00Z`);
      const address = "192.0.2.1";
      await app.core.clicks.record({ link_id: id, country, time, address, user_agent: "", referrer: "" });
    }
    await app.core.moderation.disableLink(id, "reported");
    for (const { path, keys, button, ready } of viewsOf(id, bucket)) {
      const name = [path, keys ?? button].filter(Boolean).join(" ");
      await page.goto(base + path);
      if (keys) {
        await page.getByRole("listitem").first().waitFor();
        await page.keyboard.press(keys);
      }
      if (button) await page.getByRole("button", { name: button, exact: true }).click();
      await ready(page);
      await settled(page);
      await expectAccessible(page, name);
      for (const dir of ["rtl", "ltr"]) {
        await page.evaluate(`document.documentElement.dir = "${dir}"`);
        expect([name, dir, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([
          name,
          dir,
          width,
        ]);
      }
    }
    expect(complaints).toEqual([]);
  }
});
