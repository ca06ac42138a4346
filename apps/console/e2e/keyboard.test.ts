import { challengeOf, prove } from "@terse/testkit/dns";
import { png } from "@terse/testkit/png";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { leftOut, missing, startConsole, zoomed } from "./open.ts";

const { app, base, dns, open } = await startConsole();

/** What has the focus, if nothing on the screen shows that it has it; null if something does. */
const unseen = `(() => {
  const at = document.activeElement;
  // What has it inside the preview of a page is the preview's affair.
  if (at === document.body || at.tagName === "IFRAME") return null;
  const { top, bottom } = at.getBoundingClientRect();
  const isMarked = [at, at.closest("label")].some((each) => each && getComputedStyle(each).outlineStyle !== "none");
  return isMarked && bottom > 0 && top < innerHeight ? null : at.outerHTML;
})()`;

/** Presses a key until the focus is on an element, and expects that every stop on the way is seen. */
async function walkTo(target: Locator, key = "Tab"): Promise<void> {
  const page = target.page();
  await target.waitFor();
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press(key);
    await expect.poll(() => page.evaluate(unseen)).toBeNull();
    if (await target.evaluate((element) => element.matches(":focus"))) return;
  }
  throw new Error(`The focus does not reach ${target.toString()}`);
}

async function press(target: Locator, key = "Enter"): Promise<void> {
  await walkTo(target);
  await target.page().keyboard.press(key);
}

/** Waits until what has this text or label has the focus. */
const expectFocus = (page: Page, name: string) =>
  expect
    .poll(() =>
      page.evaluate(`(({ activeElement: at }) =>
        at === document.body ? null : (at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent))(document)`),
    )
    .toBe(name);

const expectScreenFocus = (page: Page) =>
  expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");

describe.skipIf(missing !== null)(`by keyboard alone, at 200 %, without motion${leftOut}`, () => {
  it("a domain is added, its records are copied, it is checked, and it is deleted", async () => {
    const { page, caller, links, complaints, goto } = await open("/", zoomed);
    const domain = "go.keyboard.example";
    await goto();
    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
    for (const key of ["g", "d"]) await page.keyboard.press(key);
    const field = page.getByLabel("Domain");
    await field.waitFor();
    dns.set("NS", "keyboard.example", "ada.ns.cloudflare.com");
    await page.keyboard.press("n");
    await page.keyboard.type(`https://${domain}/x`);
    await page.getByText(`Your links will look like ${domain}/launch.`).waitFor();
    await page.keyboard.press("Enter");
    const card = page.getByRole("region", { name: domain });
    await card.getByText("waiting for DNS").waitFor();
    await expectScreenFocus(page); // the form is gone
    await page.getByText("Cloudflare manages the DNS").waitFor();
    const [added] = await caller.domains.list();
    await card.getByText("nothing").first().waitFor();
    const challenge = challengeOf(added ?? expect.fail("no domain"));
    await press(card.getByRole("button", { name: `Copy ${challenge}` }));
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(challenge);

    prove(dns, domain, challenge);
    await walkTo(card.getByRole("button", { name: "Check now" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await card.getByText(`Your links can use ${domain}.`).waitFor();
    await expectFocus(page, "Check now");
    await links.create({ url: "https://example.com/", domain });
    await page.reload();
    await card.getByText("verified", { exact: true }).waitFor();

    const remove = card.getByRole("button", { name: "Delete" });
    await press(remove);
    const dialog = page.getByRole("dialog", { name: `Delete ${domain}?` });
    await dialog.getByText("1 link stops working at once.").waitFor();
    await expectFocus(page, "Cancel");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expectFocus(page, "Delete");
    await page.keyboard.press("Enter");
    await press(dialog.getByRole("button", { name: "Delete" }));
    await field.waitFor();
    await expectScreenFocus(page); // and so is the button
    expect(await caller.domains.list()).toEqual([]);
    await walkTo(field);
    expect(complaints).toEqual([]);
  });

  it("the settings are changed: news, sessions, theme, time zone, shortcuts, and data are exported", async () => {
    const { page, account, caller, complaints, goto } = await open("/", zoomed);
    await app.core.sessions.create(account.id);
    await app.core.sessions.create(account.id);
    await goto();
    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
    for (const key of ["g", "s"]) await page.keyboard.press(key);
    const goTo = async (name: string) => {
      const link = page.getByRole("link", { name, exact: true });
      await walkTo(link, "Shift+Tab");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 2 }).first().waitFor();
    };

    const news = page.getByLabel("Send me news");
    await news.waitFor();
    await press(news, "Space");
    await expect.poll(async () => (await caller.users.profile()).consents).toEqual({ marketing: true });

    await goTo("Plan");
    const table = page.getByRole("region", { name: "What each plan includes" });
    await press(table, "End");
    const atEnd = "scrollY + innerHeight > document.documentElement.scrollHeight - 2";
    await expect.poll(() => page.evaluate(atEnd)).toBe(true);

    await goTo("Sign-in");
    const ends = page.getByRole("button", { name: /^Sign out: / });
    await expect.poll(() => ends.count()).toBe(2);
    await press(ends.first());
    await expect.poll(() => ends.count()).toBe(1);
    await walkTo(page.getByRole("button", { name: "Sign out all others" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("Signed out 1 browser.").waitFor();

    await goTo("Preferences");
    await press(page.getByLabel("Match system"), "ArrowRight");
    await press(page.getByLabel("Light"), "ArrowRight");
    await expect.poll(() => page.getByLabel("Dark").isChecked()).toBe(true);
    await walkTo(page.getByLabel("Time zone"));
    await page.keyboard.type("Asia/Tok");
    await expect.poll(() => page.getByLabel("Time zone").inputValue()).toBe("Asia/Tokyo");
    const shortcuts = page.getByLabel("Single-key shortcuts");
    await press(shortcuts, "Space");
    await page.evaluate("document.activeElement.blur()");
    for (const key of ["g", "l"]) await page.keyboard.press(key);
    expect(page.url()).toBe(`${base}/settings/preferences`);
    await press(shortcuts, "Space");
    for (const key of ["g", "l"]) await page.keyboard.press(key);
    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();

    for (const key of ["g", "s"]) await page.keyboard.press(key);
    await news.waitFor();
    await goTo("Your data");
    const file = page.waitForEvent("download");
    await press(page.getByRole("button", { name: "Download your data" }));
    await file;
    await press(page.getByRole("button", { name: "Delete the account" }));
    const dialog = page.getByRole("dialog", { name: "Delete the account" });
    await walkTo(dialog.getByLabel("To confirm"));
    await page.keyboard.type(account.email);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your account is being deleted" }).waitFor();
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });

  it("a key is made, replaced and revoked, and an assistant connected", async () => {
    const { page, caller, complaints, goto } = await open("/settings/keys", zoomed);
    await goto();
    await page.getByText("No keys yet").waitFor();
    await page.keyboard.press("n");
    const form = page.getByRole("dialog", { name: "Create a key" });
    await form.waitFor();
    await expectFocus(page, "Name of the key");
    await page.keyboard.type("Laptop");
    await press(form.getByLabel("do everything your plan includes"), "ArrowDown");
    await press(form.getByLabel("see analytics"), "Space");
    await walkTo(form.getByLabel("Expires"));
    await page.keyboard.type("in a year");
    await press(form.getByRole("button", { name: "Create a key" }));
    await page.getByText("Copy the key now.").waitFor();
    await expectFocus(page, "Copy the key");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^terse_/);
    await press(page.getByRole("button", { name: "Done" }));
    expect(await caller.keys.list()).toMatchObject([
      { name: "Laptop", scopes: ["links:read", "analytics:read"] },
    ]);

    await press(page.getByRole("button", { name: "Replace Laptop" }));
    await press(page.getByRole("dialog").getByRole("button", { name: "Replace" }));
    await press(page.getByRole("button", { name: "Done" }));
    const revoke = page.getByRole("button", { name: "Revoke Laptop" });
    await expect.poll(() => revoke.count()).toBe(2);
    for (let left = 2; left > 0; left--) {
      await press(revoke.first());
      await press(page.getByRole("dialog").getByRole("button", { name: "Revoke" }));
      await expect.poll(() => revoke.count()).toBe(left - 1);
    }

    await walkTo(page.getByRole("link", { name: "Assistants" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await walkTo(page.getByLabel("Assistant"));
    await page.keyboard.type("Cursor");
    await press(page.getByRole("button", { name: "Copy the configuration" }));
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain("http://mcp.test/mcp");
    expect(complaints).toEqual([]);
  });

  it("a rule gets a condition by its name, and not by the first letter of it", async () => {
    const { page, links, complaints, goto } = await open("/?new=https://example.com/", zoomed);
    await goto();
    const panel = page.getByRole("dialog", { name: "Create a link" });
    await expectFocus(page, "Destination");
    await press(panel.locator("summary", { hasText: "More options" }));
    await press(panel.getByRole("button", { name: "+ Rule", exact: true }));
    await expectFocus(page, "Add a condition to Rule 1");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.type("Sys");
    await page.keyboard.press("Enter");
    await expectFocus(page, "System");
    await page.keyboard.type("iOS");
    await page.keyboard.press("Enter");
    await walkTo(panel.getByLabel("Rule 1 leads to"));
    await page.keyboard.type("https://apps.apple.com/app/x");
    await page.keyboard.press("Control+Enter");
    await panel.waitFor({ state: "detached" });
    expect((await links.list()).data).toMatchObject([{ rules: [{ when: { os: ["iOS"] } }] }]);
    expect(complaints).toEqual([]);
  });

  it("the operator reads reports, disables a link, changes a plan and suspends an account, in one dialog", async () => {
    const { page, account, complaints, goto } = await open("/", zoomed);
    await app.core.accounts.setOperator(account.email, true);
    const spammer = await app.account("free");
    const theirs = app.core.caller({ kind: "account", account: spammer, credential: "internal" }).links;
    const { id } = await theirs.create({ url: "https://phishing.example/login" });
    await app.core.reports.submit({
      link_id: id,
      reason: "phishing",
      details: "<img src=x onerror=alert(1)>",
      address: "192.0.2.7",
    });
    await goto();
    await page.getByRole("link", { name: "Operator" }).waitFor();
    for (const key of ["g", "o"]) await page.keyboard.press(key);
    await page.getByText("Clicks not counted yet").waitFor();
    const tab = (name: string) =>
      page.getByRole("navigation", { name: "Operator" }).getByRole("link", { name });
    await press(tab("Reports"));
    const dialog = page.getByRole("dialog");
    await page.getByText("<img src=x onerror=alert(1)>").waitFor();
    await press(page.getByRole("button", { name: "Disable" }));
    await dialog.waitFor();
    await expectFocus(page, "Reason");
    await page.keyboard.type("phishing");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await theirs.get({ id })).disabled_reason).toBe("phishing");

    await press(tab("People"));
    await walkTo(page.getByRole("searchbox"));
    await page.keyboard.type(spammer.email);
    await page.keyboard.press("Enter");
    await page.getByText("1 person", { exact: true }).waitFor();
    await press(page.getByRole("button", { name: spammer.email }));
    await walkTo(dialog.getByLabel("Plan"));
    await page.keyboard.type("pro");
    const details = () => app.core.accounts.details(spammer.id);
    await expect.poll(async () => (await details()).plan).toBe("pro");
    await press(dialog.getByRole("button", { name: "Suspend" }));
    await expectFocus(page, "Reason");
    expect(await dialog.count()).toBe(1);
    await press(dialog.getByRole("button", { name: "Cancel" }));
    await expectFocus(page, "Suspend");
    await page.keyboard.press("Enter");
    await page.keyboard.type("phishing");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await details()).suspended_reason).toBe("phishing");
    await expectFocus(page, "End the suspension");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await details()).suspended_reason).toBeNull();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expectFocus(page, spammer.email);
    expect(complaints).toEqual([]);
  });

  it("an export is begun, cancelled and begun again; a new version waits until it is wanted", async () => {
    const { page, links, complaints, goto } = await open("/analytics", zoomed);
    await links.create({ url: "https://example.com/" });
    await page.clock.install();
    await goto();
    await page.getByRole("button", { name: "Export" }).waitFor();
    const answer = Promise.withResolvers<void>();
    await page.route("**/v1/analytics/export**", async (route) => {
      await answer.promise;
      await route.continue().catch(() => {}); // cancelled
    });
    await page.keyboard.press("x");
    const dialog = page.getByRole("dialog", { name: "Export clicks" });
    await dialog.waitFor();
    await expectFocus(page, "Export");
    await press(dialog.getByLabel("CSV"), "ArrowRight");
    await press(dialog.getByRole("button", { name: "Export" }));
    await dialog.getByRole("progressbar").waitFor();
    await press(dialog.getByRole("button", { name: "Cancel" }));
    await dialog.getByText("Export cancelled.").waitFor();
    answer.resolve();
    await expectFocus(page, "Export");
    const file = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    expect((await file).suggestedFilename()).toMatch(/^terse-clicks-.*\.json$/);
    await dialog.getByText(/^Saved terse-clicks-/).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });

    await page.route(`${base}/`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace("/assets/main-", "/assets/main-2");
      await route.fulfill({ response, body });
    });
    await page.clock.fastForward(61_000);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByText("A new version of the console").waitFor();
    await walkTo(page.getByRole("button", { name: "Later" }), "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.getByText("A new version of the console").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("images are chosen and removed: of a page, and the logo of QR codes", async () => {
    const { page, caller, links, complaints, goto } = await open("/buckets", zoomed);
    const { id } = await links.create({ url: "https://example.com/" });
    await caller.buckets.create({ name: "Ada", links: [{ title: "One", url: "https://example.com/" }] });
    const image = { name: "ada.png", mimeType: "image/png", buffer: png(64, 64) };
    const choose = async (button: Locator) => {
      const chooser = page.waitForEvent("filechooser");
      await press(button);
      await (await chooser).setFiles(image);
    };
    await goto();
    await press(page.getByRole("button", { name: "Edit Ada" }));
    const panel = page.getByRole("dialog");
    await panel.waitFor();
    const picture = panel.getByRole("group", { name: "Image", exact: true });
    await choose(picture.getByRole("button", { name: "Choose an image" }));
    const remove = picture.getByRole("button", { name: "Remove" });
    await press(remove);
    await expectFocus(page, "Choose an image");
    await press(panel.getByRole("button", { name: "#1d5fd1" }));
    await press(panel.getByRole("button", { name: "None" }));
    await expectFocus(page, "Code of the accent colour");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });

    await page.goto(`${base}/links/${id}/qr`);
    await choose(page.getByRole("button", { name: "Choose a logo" }));
    // What comes with the logo moves the screen.
    await page.getByText("Logo in the middle").waitFor();
    await press(page.getByRole("button", { name: "Remove the logo" }));
    await page.getByText("Logo in the middle").waitFor({ state: "detached" });
    await expectFocus(page, "Choose a logo");
    expect(complaints).toEqual([]);
  });
});
