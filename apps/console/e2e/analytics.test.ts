import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { challengeOf, prove } from "@terse/testkit/dns";
import { mmdb } from "@terse/testkit/mmdb";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { poolOf } from "../../http/test/client.ts";
import { leftOut, missing, startConsole } from "./open.ts";

const folder = await mkdtemp(join(tmpdir(), "terse-test-"));
afterAll(() => rm(folder, { recursive: true }));
const geoDatabase = join(folder, "places.mmdb");
const munich = {
  country: { iso_code: "DE" },
  subdivisions: [{ iso_code: "BY" }],
  city: { names: { en: "Munich" } },
};
await writeFile(geoDatabase, mmdb([["198.51.100.0/24", munich]]));
const { app, base, dns, open } = await startConsole({ geoDatabase });

const phone =
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36";
const computer = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

type Visit = [country: string, agent: string, referrer: string];
const visits: Visit[] = [
  ["DE", phone, "https://news.example/a"],
  ["DE", phone, "https://news.example/b"],
  ["DE", phone, ""],
  ["DE", computer, "https://=cmd.example/"],
  ["FR", phone, ""],
  ["FR", computer, "https://news.example/"],
  ["US", computer, ""],
];
let visitors = 0;
/** A day in the past, so that no window ends while a test runs. */
const day = "2025-03-12";
const thatDay = { from: day, to: day };
const visit = (link_id: string, [country, user_agent, referrer]: Visit, time = Date.now()) =>
  app.core.clicks.record({ link_id, country, user_agent, referrer, time, address: `192.0.2.${visitors++}` });

/** An account with two links: each visit above on the first, and the first three of them on the second. */
async function openAccount(path: (id: string) => string, options: Parameters<typeof open>[1] = {}) {
  const opened = await open("/", options);
  const [first, second] = [
    await opened.links.create({ url: "https://example.com/1", slug: `first-${visitors}`, title: "First" }),
    await opened.links.create({ url: "https://example.com/2", slug: `second-${visitors}`, title: "Second" }),
  ];
  const hour = (at: number) => Date.parse(`${day}T10:20:00Z`) + at * 3_600_000;
  for (const [at, each] of visits.entries()) await visit(first.id, each, hour(at));
  for (const [at, each] of visits.slice(0, 3).entries()) await visit(second.id, each, hour(at));
  const goto = () => opened.page.goto(base + path(first.id));
  return { ...opened, first, second, goto };
}

const total = (page: Page, name: string) =>
  page.locator(".totals > div", { hasText: name }).locator("b").first();

/** The cells of the table that is open, by row. */
const cells = (page: Page): Promise<string[][]> =>
  page
    .locator("tbody tr")
    .evaluateAll((rows) =>
      (rows as { cells: Iterable<{ textContent: string }> }[]).map((row) =>
        Array.from(row.cells, ({ textContent }) => textContent),
      ),
    );

/** The rows of a list as name and clicks. */
const listed = (page: Page, title: string) =>
  page
    .getByRole("region", { name: title, exact: true })
    .locator("button.value")
    .evaluateAll((rows) =>
      (rows as { querySelectorAll(selector: string): Iterable<{ textContent: string }> }[]).map((row) =>
        Array.from(row.querySelectorAll(".label, .label + .number"), ({ textContent }) => textContent),
      ),
    );

const clipboard = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");

describe.skipIf(missing !== null)(`analytics in a browser${leftOut}`, () => {
  it("say which campaigns and cities clicks came from, and what made visits bots'", async () => {
    const { page, first, complaints, goto } = await openAccount(
      () => `/analytics?from=${day}&to=${day}&tz=UTC`,
    );
    const time = Date.parse(`${day}T12:00:00Z`);
    const more = { link_id: first.id, time, address: "198.51.100.1" };
    await app.core.clicks.record({ ...more, user_agent: computer, campaign: "utm_source=!sale\n" });
    await app.core.clicks.record({ ...more, user_agent: "Googlebot/2.1 (+http://www.google.com/bot.html)" });
    await goto();
    await page.getByText("What counts as a bot?").click();
    await page.getByRole("cell", { name: "Search engines: Google" }).waitFor();
    await page.getByText("What counts as a bot?").click();

    const places = page.getByRole("region", { name: "Places", exact: true });
    await places.getByText("Region", { exact: true }).click();
    await places.getByRole("button", { name: /^DE-BY/ }).waitFor();
    await places.getByText("City", { exact: true }).click();
    await places.getByRole("button", { name: /^Munich, DE-BY/ }).click();
    await page.getByRole("button", { name: "from Munich, DE-BY", exact: true }).waitFor();
    await expect.poll(() => total(page, "Clicks").textContent()).toBe("1");

    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    const campaigns = page.getByRole("region", { name: "Campaigns", exact: true });
    await campaigns.getByRole("button", { name: /^!sale/ }).click();
    await page.getByRole("button", { name: "of source !sale", exact: true }).waitFor();
    await expect.poll(() => total(page, "Clicks").textContent()).toBe("1");

    const ofAllVisits = page.getByText("of all visits");
    await page.goto(`${base}/analytics?from=${day}&to=${day}&tz=UTC`);
    await ofAllVisits.waitFor();
    await page.goto(`${base}/analytics?from=${day}&to=${day}&tz=UTC&bot=any`);
    await expect.poll(() => total(page, "Clicks").textContent()).toBe("1");
    expect(await ofAllVisits.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("draw the day that runs apart, and compare it with as much of the days before", async () => {
    const { page, links, goto } = await open("/");
    const { id } = await links.create({ url: "https://example.com/running" });
    // A zone in which it is about noon.
    const hours = new Date().getUTCHours() - 12;
    const tz = hours === 0 ? "UTC" : `Etc/GMT${hours > 0 ? `+${hours}` : hours}`;
    const midnight = new Date().setUTCMinutes(0, 0, 0) + 12 * 3_600_000;
    const [early, late] = [midnight - 8 * 86_400_000 + 3_600_000, midnight - 7 * 86_400_000 - 60_000];
    for (const time of [early, late, Date.now(), Date.now()]) await visit(id, ["DE", phone, ""], time);
    await goto();
    await page.goto(`${base}/links/${id}?period=7d&tz=${encodeURIComponent(tz)}`);
    await page.locator("path.line.running").waitFor();
    await expect.poll(() => total(page, "Clicks").textContent()).toBe("2");
    await expect.poll(() => page.locator(".totals span").first().textContent()).toBe("+100%");
    await page.getByRole("slider").press("End");
    await page.getByText(/, so far$/).waitFor();
    await page.goto(`${base}/links/${id}?from=${day}&to=${day}&tz=UTC`);
    await page.getByRole("slider").waitFor();
    expect(await page.locator("path.line.running").count()).toBe(0);
  });

  it("follow the live clicks beside them, without a reload", async () => {
    const { page, first, goto, complaints } = await openAccount((id) => `/links/${id}?period=7d`);
    await visit(first.id, ["DE", phone, ""]);
    await goto();
    await expect.poll(() => total(page, "Clicks").textContent()).toBe("1");
    const live = page.getByRole("region", { name: "Latest clicks" });
    await live.getByRole("listitem").first().waitFor();
    for (const each of visits.slice(0, 2)) await visit(first.id, each);
    await expect.poll(() => live.getByRole("listitem").count(), { timeout: 30_000 }).toBe(visits.length + 3);
    await expect.poll(() => total(page, "Clicks").textContent(), { timeout: 30_000 }).toBe("3");
    expect(complaints).toEqual([]);
  });

  it("equal the API's figures, and a press on a list filters all of them", async () => {
    const { page, caller, complaints, goto } = await openAccount(
      () => `/analytics?from=${day}&to=${day}&tz=UTC`,
    );
    await goto();
    await page.getByRole("button", { name: "Show as a table" }).click();
    const all = await caller.analytics.overview(thatDay);
    expect(all.clicks).toBe(10);
    expect((await cells(page)).map((row) => [Number(row[1]), Number(row[2])])).toEqual(
      all.timeseries.map(({ clicks, visitors: people }) => [clicks, people]),
    );
    await page.getByRole("button", { name: "Copy as CSV" }).click();
    await page.getByText("Copied Clicks: 24 rows").waitFor();
    const lines = (await clipboard(page)).trimEnd().split("\r\n");
    expect(lines[0]).toBe("Start,Clicks,Visitors,Previous clicks,Previous visitors");
    expect(lines.slice(1).map((line) => line.split(",").slice(0, 2))).toEqual(
      all.timeseries.map(({ start, clicks }) => [start, String(clicks)]),
    );
    await page.getByRole("button", { name: "Show as a chart" }).click();

    await page.getByRole("button", { name: /^Germany/ }).click();
    await page.getByRole("button", { name: "from Germany", exact: true }).waitFor();
    await page.getByRole("button", { name: /^Phones/ }).click();
    await page.getByRole("button", { name: "on phones", exact: true }).waitFor();
    const expectFiltered = async (filter: { country?: string; device?: string }) => {
      const filtered = await caller.analytics.overview({ ...thatDay, ...filter });
      await expect.poll(() => total(page, "Clicks").textContent()).toBe(String(filtered.clicks));
      expect(await total(page, "Visitors").textContent()).toBe(String(filtered.visitors));
      expect((await listed(page, "Referrers")).map(([, clicks]) => Number(clicks))).toEqual(
        filtered.referrers.map(({ clicks }) => clicks),
      );
      expect((await listed(page, "Top links")).map(([, clicks]) => Number(clicks))).toEqual(
        filtered.top_links.map(({ clicks }) => clicks),
      );
      const chart = page.getByRole("slider", { name: "Clicks" });
      await chart.focus();
      await page.keyboard.press("Home");
      for (let at = 0; at < 10; at++) await page.keyboard.press("ArrowRight");
      const clicksAtTen = filtered.timeseries[10]?.clicks ?? Number.NaN;
      expect(await chart.getAttribute("aria-valuetext")).toContain(`Clicks: ${clicksAtTen}`);
    };
    await expectFiltered({ country: "DE", device: "mobile" });

    // The address has the filters; a chip turns into its opposite, and can be removed.
    await page.reload();
    await page.getByRole("button", { name: "from Germany", exact: true }).click();
    await page.getByRole("dialog").getByText("is not", { exact: true }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "not from Germany", exact: true }).waitFor();
    await expectFiltered({ country: "!DE", device: "mobile" });
    await page.getByRole("button", { name: "Remove: on phones" }).click();
    await expectFiltered({ country: "!DE" });
    await page.goBack();
    await expectFiltered({ country: "!DE", device: "mobile" });

    // A value that is not in a list can be chosen, too; a copied cell cannot become a formula.
    await page.getByRole("button", { name: "Remove all" }).click();
    await page.getByRole("button", { name: "Table: Referrers" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Copy as CSV" }).click();
    await page.getByText("Copied Referrers").waitFor();
    const copied = (await clipboard(page)).trimEnd().split("\r\n");
    expect(copied[0]).toBe("Referrers,Clicks,Share");
    expect(copied.slice(1).map((line) => line.split(",").slice(0, 2).join())).toEqual(
      all.referrers.map(
        ({ referrer, clicks }) => `${referrer.startsWith("=") ? "'" : ""}${referrer},${clicks}`,
      ),
    );
    expect(complaints).toEqual([]);
  });

  it("move none of the buttons above them when they come, on a phone", async () => {
    const { page, goto } = await openAccount(() => "/analytics?period=all", {
      viewport: { width: 360, height: 780 },
    });
    const held = Promise.withResolvers<void>();
    await page.route(/\/trpc\/[^?]*analytics\.overview/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await goto();
    const last = page.getByRole("button", { name: "Export", exact: true });
    const below = page.getByRole("button", { name: "Filter" });
    await last.waitFor();
    const places = async () => [await last.boundingBox(), await below.boundingBox()];
    const before = await places();
    expect(await page.locator(".totals").count()).toBe(0);
    held.resolve();
    await page.locator(".totals").waitFor();
    expect(await places()).toEqual(before);
  });

  it("are filtered by any domain, also by that of a link which is not among the hundred with most clicks", async () => {
    const { page, caller, links, goto } = await open(`/analytics?from=${day}&to=${day}&tz=UTC`);
    const domain = "go.analytics-test.example";
    const made = await caller.domains.create({ domain });
    prove(dns, domain, challengeOf(made));
    await caller.domains.verify({ id: made.id });
    const url = "https://example.com/";
    const rare = await links.create({ url, domain });
    const { results } = await links.bulkCreate({
      links: Array.from({ length: 100 }, () => ({ url })),
      on_error: "stop",
    });
    const time = Date.parse(`${day}T12:00:00Z`);
    const often = results.flatMap(({ id }) => (id ? [id, id] : []));
    for (const id of [...often, rare.id]) await visit(id, ["DE", phone, ""], time);
    await goto();
    await page.getByRole("button", { name: "+ Filter" }).click();
    await page.getByRole("button", { name: "Domain", exact: true }).click();
    await page.getByRole("checkbox", { name: `${domain} 1` }).check();
    await expect.poll(() => total(page, "Clicks").textContent()).toBe("1");
  });

  it("are filtered, compared and exported by keyboard alone", async () => {
    const { page, first, goto } = await openAccount((id) => `/links/${id}?from=${day}&to=${day}&tz=UTC`);
    const dialog = page.getByRole("dialog");
    const filter = async (name: string, value: string) => {
      await page.keyboard.press("f");
      for (const [field, text] of [
        ["Find a filter", name],
        ["Find a value", value],
      ] as const) {
        await dialog.getByLabel(field).waitFor();
        await page.keyboard.type(text);
        await page.keyboard.press("Enter");
      }
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
    };
    await goto();
    await expect.poll(() => total(page, "Clicks").textContent()).toBe("7");
    await filter("countr", "germ");
    await filter("devic", "phon");
    await expect.poll(() => total(page, "Clicks").textContent()).toBe("3");
    await page.keyboard.press("x");
    await dialog.getByRole("button", { name: "Export", exact: true }).waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
    expect((await readFile(await file.path(), "utf8")).trimEnd().split("\r\n")).toHaveLength(1 + 3);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("v");
    await dialog.getByRole("searchbox").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    const zone = page.getByRole("combobox", { name: "Time zone" });
    await zone.focus();
    await zone.selectOption("Asia/Tokyo"); // the list is filled by the focus
    await page.waitForURL(/tz=Asia%2FTokyo/);
    await zone.blur();
    await page.keyboard.press("2");
    await page.waitForURL(/period=7d/);
    expect(await page.getByRole("radio", { name: "7 days" }).isChecked()).toBe(true);
    expect(page.url()).toContain(first.id);
  });

  it("compare links in one chart, and read one day by the hour", async () => {
    const { page, caller, first, second, goto } = await openAccount(
      (id) => `/links/${id}?from=2025-03-06&to=${day}&tz=UTC`,
    );
    await goto();
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("dialog").getByRole("searchbox").fill("Second");
    await page.getByRole("dialog").getByText(second.slug).click();
    await page.keyboard.press("Escape");
    const legend = page.getByRole("list", { name: "Compared links" });
    await legend.getByText(second.slug).waitFor();
    await expect.poll(() => legend.locator("li b").allTextContents()).toEqual([String(visits.length), "3"]);
    await page.getByRole("button", { name: "Show as a table" }).click();
    const [a, b] = await Promise.all(
      [first, second].map(({ id }) => caller.analytics.link({ id, from: "2025-03-06", to: day })),
    );
    expect((await cells(page)).map((row) => row.slice(1).map(Number))).toEqual(
      a?.timeseries.map(({ clicks }, row) => [clicks, b?.timeseries[row]?.clicks]),
    );
    await page.getByRole("button", { name: "Show as a chart" }).click();
    await page
      .getByRole("button", { name: `Remove ${second.domain}/${second.slug} from the comparison` })
      .click();

    await page.getByRole("slider", { name: "Clicks" }).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.waitForURL(/granularity=hour/);
    await expect.poll(() => page.getByRole("combobox", { name: "By" }).inputValue()).toBe("hour");
    await expect.poll(() => total(page, "Clicks").textContent()).toBe(String(visits.length));
  });

  it("say of an A/B test how it was split, and whether chance explains that", async () => {
    const { page, caller, links, goto } = await openAccount(() => "/");
    const { id } = await links.create({
      url: "https://example.com/",
      ab_test: {
        variants: [
          { url: "https://example.com/a", weight: 1 },
          { url: "https://example.com/b", weight: 1 },
        ],
      },
    });
    const visitVariant = (variant: number) =>
      app.core.clicks.record({ link_id: id, user_agent: phone, variant, address: `192.0.2.${visitors++}` });
    for (let at = 0; at < 30; at++) await visitVariant(at < 25 ? 0 : 1);
    await goto();
    await page.goto(`${base}/links/${id}?period=24h&tz=UTC`);
    const test = page.getByRole("region", { name: "A/B test" });
    // Of 30 visitors, 25 and 5 instead of 15 and 15: chi-squared is 13.3, and 10.8 has the probability 0.001.
    await test.getByText("less than 1 in 1,000").waitFor();
    expect((await listed(page, "A/B test")).map(([, clicks]) => Number(clicks))).toEqual([25, 5]);
    await test.getByRole("button", { name: /^2 · 50%/ }).click();
    await page.getByRole("button", { name: "to variant 2", exact: true }).waitFor();
    const { clicks } = await caller.analytics.link({ id, period: "24h", variant: "2" });
    expect(clicks).toBe(5);
    await expect.poll(() => total(page, "Clicks").textContent()).toBe(String(clicks));
  });

  it("have alerts, about the tag that they are filtered by", async () => {
    const { page, caller, links, goto } = await open("/analytics?tag=%5C!urgent");
    await links.create({ url: "https://example.com/", tags: ["!urgent"] });
    await goto();
    await page.getByRole("button", { name: "Alerts", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Create an alert" });
    await dialog.getByLabel("Hours without clicks").fill("1");
    await dialog.getByRole("button", { name: "Create alert" }).click();
    await dialog.getByText("no clicks for 1 hour · never fired").waitFor();
    expect(await caller.alerts.list()).toMatchObject([{ kind: "silence", hours: 1, tag: "!urgent" }]);
    await dialog.getByRole("button", { name: "Delete the alert !urgent" }).click();
    await expect.poll(() => caller.alerts.list()).toEqual([]);
  });

  it("come by mail to people who want that, with links to the same numbers", async () => {
    const { page, account, caller, links } = await open("/settings/profile");
    const { id } = await links.create({ url: "https://example.com/", title: "Spring" });
    // Before eight on a Monday, the last week is not reported.
    for (const days of [7, 7, 7, 14]) await visit(id, ["DE", phone, ""], Date.now() - days * 86_400_000);
    await page.goto(`${base}/settings/profile`);
    await page.getByText("Weekly", { exact: true }).click();
    await page.getByRole("checkbox", { name: account.name, checked: true }).waitFor();
    expect(await caller.preferences.get()).toMatchObject({
      reports: { frequency: "weekly", workspaces: [account.id] },
    });
    await poolOf(app).query(
      "update preferences set report_at = report_at - interval '7 days' where account_id = $1",
      [account.id],
    );
    await app.core.chores.run();
    const mail = (await app.core.mails.list()).find(({ address }) => address === account.email);
    const shown = [...(mail?.text ?? "").matchAll(/(Clicks|Spring): (\d+).*\n +https?:\/\/[^/]+(\/\S+)/g)];
    expect(shown.length).toBeGreaterThanOrEqual(2);
    for (const [, , clicks = "", path = ""] of shown) {
      await page.goto(base + path);
      await expect.poll(() => total(page, "Clicks").textContent()).toBe(clicks);
    }
  });

  it("are shared under an address that needs no account, until that is revoked, which can be undone", async () => {
    const { page, goto } = await openAccount((id) => `/links/${id}`);
    await goto();
    await page.getByRole("button", { name: "Share", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Share a report" });
    await dialog.getByLabel("Heading").fill("For the team");
    await dialog.getByRole("button", { name: "Create address" }).click();
    await dialog.getByText("It is shown only once").waitFor();
    const { pathname } = new URL((await dialog.locator("code").textContent()) ?? "");
    const read = async () => (await fetch(`${base}${pathname}?period=all`)).status;
    expect(await read()).toBe(200);
    await dialog.getByText("For the team").waitFor();
    await dialog.getByRole("button", { name: "Revoke For the team" }).click();
    await expect.poll(read).toBe(404);
    await dialog.getByRole("button", { name: "Share For the team again" }).click();
    await expect.poll(read).toBe(200);
  });

  it("export as many rows as clicks under the filter, and show clicks as they arrive", async () => {
    const { page, first, goto } = await openAccount(
      () => `/analytics?from=${day}&to=${day}&tz=UTC&country=["DE"]`,
    );
    await goto();
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog");
    for (const format of ["CSV", "JSON"]) {
      await dialog.getByText(format, { exact: true }).click();
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        dialog.getByRole("button", { name: "Export", exact: true }).click(),
      ]);
      await dialog.getByText(/^Saved terse-clicks-.*: 7 rows, /).waitFor();
      const text = await readFile(await file.path(), "utf8");
      expect(text.startsWith("\uFEFF")).toBe(format === "CSV");
      const countries =
        format === "CSV"
          ? text
              .trimEnd()
              .split("\r\n")
              .slice(1)
              .map((line) => line.split(",")[5])
          : (JSON.parse(text) as { country: string }[]).map(({ country }) => country);
      expect(countries).toEqual(Array.from({ length: 7 }, () => "DE"));
    }
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    const feed = page.getByRole("region", { name: "Latest clicks" }).getByRole("listitem");
    await expect.poll(() => feed.count()).toBe(7);
    await visit(first.id, ["FR", phone, ""]);
    await visit(first.id, ["DE", phone, "https://fresh.example/"]);
    await page.getByText("fresh.example").first().waitFor();
    expect(await feed.count()).toBe(8);
    expect(await feed.first().getAttribute("class")).toBe("fresh");
  });
});
