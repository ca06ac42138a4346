import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

let ahead = 0;
const { app, base, newContext, open } = await startConsole({
  clock: () => new Date(Date.now() + ahead),
});
const minuteMs = 60_000;

/** Signs in with the provider, on the page that shows it. */
async function signInAs(page: Page, who: string): Promise<void> {
  await page.getByRole("link", { name: "Sign in with Oidc" }).click();
  await page.getByLabel("Who").fill(who);
  await page.getByRole("button", { name: "Go" }).click();
}

/** Presses the provider's button of a page that stays, and waits until the new tab has signed in and closed itself. */
async function signInElsewhere(page: Page): Promise<void> {
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Sign in with Oidc" }).click();
  const tab = await opened;
  if (!tab.isClosed()) await tab.waitForEvent("close");
}

/** By keys, which nothing needs to be visible for: the page may have seen before that its session is over. */
async function goTo(page: Page, key: "a" | "l"): Promise<void> {
  for (const pressed of ["g", key]) await page.keyboard.press(pressed);
}

describe.skipIf(missing !== null)(`an account in a browser${leftOut}`, () => {
  it("is asked to sign in in a language of their choice, which the service's own pages keep", async () => {
    const page = await (await newContext({ locale: "fr-CA" })).newPage();
    await page.goto(base);
    await page.getByText("Documentation de l’API").waitFor();
    await page.getByRole("button", { name: "Deutsch" }).click();
    await page.getByText("API-Dokumentation").waitFor();
    expect(await page.getAttribute("html", "lang")).toBe("de");
    await expectAccessible(page, "sign-in in German");
    await page.goto(`${base}/shorten`);
    await page.getByRole("heading", { name: "Kurze Links, genau gezählt" }).waitFor();
    await page.getByRole("link", { name: "English" }).click();
    await page.getByRole("heading", { name: "Short links with exact click counts" }).waitFor();
    await page.goto(base);
    await page.getByText("API documentation").waitFor();
  });

  it("names the account's address in the command that signs it in again", async () => {
    const { page, account, goto } = await open("/settings/profile");
    await page.route("**/auth/providers", (route) =>
      route.fulfill({ json: { data: { providers: [] }, error: null, meta: null } }),
    );
    await goto();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await app.core.sessions.endAll(account.id);
    await goTo(page, "l");
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    await page.getByText(`login-link --email ${account.email}`).waitFor();
  });

  it("makes a key after signing in again, uses it, and revokes it; typed text outlives an ended session", async () => {
    const page = await (await newContext()).newPage();
    await page.goto(`${base}/settings/keys?new=true`);
    await page.getByRole("link", { name: "Sign in with Oidc" }).waitFor();
    await expectAccessible(page, "sign-in");
    await signInAs(page, "grace");
    await page.getByText("Creating keys needs the Enterprise plan").waitFor();
    expect(page.url()).toBe(`${base}/settings/keys?new=true`);
    await page.goto(`${base}/settings/plan`);
    const keysByPlan = page.getByRole("row").filter({ hasText: "API keys" });
    await expect.poll(() => keysByPlan.getByRole("cell").allTextContents()).toEqual(["–", "–", "100"]);
    const { id } = await app.core.accounts.setPlan("grace@example.com", "enterprise");
    await page.goto(`${base}/settings/keys?new=true`);

    const dialog = page.getByRole("dialog", { name: "Create a key" });
    const field = dialog.getByLabel("Name of the key");
    const submit = dialog.getByRole("button", { name: "Create a key" });
    await field.fill("Laptop");
    await dialog.getByLabel("do only selected things").check();
    await expectAccessible(page, "a new key");
    await app.core.sessions.endAll(id);
    await submit.click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    expect(await field.isVisible()).toBe(false);
    await signInElsewhere(page);
    await dialog.waitFor();
    expect(await field.inputValue()).toBe("Laptop");

    ahead += 11 * minuteMs;
    await submit.click();
    await page.getByText("Sign in again to create an API key").last().waitFor();
    await signInElsewhere(page);
    await page.getByText("You're signed in again").waitFor();
    await submit.click();

    await page.getByText("Copy the key now.").waitFor();
    const key = await page.getByRole("dialog").locator("code").first().textContent();
    const statusOf = async (path: string) => (await app.ask("GET", path, { key: key ?? "" })).status;
    expect([await statusOf("/v1/links"), await statusOf("/v1/me")]).toEqual([200, 403]);
    await page.getByRole("button", { name: "Copy the command" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      `curl ${base}/v1/links -H "Authorization: Bearer ${key}"`,
    );
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Revoke Laptop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No keys yet").waitFor();
    expect(await statusOf("/v1/links")).toBe(401);
  });

  it("is deleted by typing its address, and kept by the next sign-in", async () => {
    const page = await (await newContext()).newPage();
    await page.goto(`${base}/settings/data?delete=true`);
    await signInAs(page, "ada");
    const dialog = page.getByRole("dialog");
    const submit = dialog.getByRole("button", { name: "Delete the account" });
    await dialog.getByLabel("To confirm").fill("somebody@example.com");
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel("To confirm").fill("ada@example.com");
    await submit.click();
    await page.getByRole("heading", { name: "Your account is being deleted" }).waitFor();
    await page.getByRole("link", { name: "Sign in with Oidc" }).click();
    await page.getByRole("heading", { name: "Your account is kept" }).waitFor();
    await page.getByRole("link", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
  });

  it("agrees between two tabs, signs out other browsers, and says that it is suspended", async () => {
    const { page, context, account, caller, goto } = await open("/settings/profile");
    const other = await newContext();
    const { token } = await app.core.sessions.create(account.id);
    await other.addCookies([{ name: "session", value: token, url: base }]);
    const elsewhere = await other.newPage();
    await elsewhere.goto(`${base}/domains`);
    const second = await context.newPage();
    await Promise.all([goto(), second.goto(`${base}/settings/profile`)]);
    await second.getByLabel("Send me news").waitFor();
    await page.getByLabel("Send me news").check();
    await expect.poll(() => second.getByLabel("Send me news").isChecked()).toBe(true);
    expect((await caller.users.profile()).consents).toEqual({ marketing: true });

    await page.getByRole("link", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Sign out all others" }).click();
    await page.getByText("Signed out 1 browser.").waitFor();
    await goTo(elsewhere, "a");
    await elsewhere.getByRole("heading", { name: "You are signed out" }).waitFor();

    await app.core.accounts.suspend(account.id, "Phishing");
    await page.reload();
    await page.getByRole("heading", { name: "This account is suspended" }).waitFor();
    await app.core.accounts.resume(account.id);
    await page.reload();
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await second.getByRole("link", { name: "Sign in with Oidc" }).waitFor();
  });

  it("offers what was opened lately to no other account, and forgets it when the session ends", async () => {
    const { page, context, account, links } = await open("/");
    const { id } = await links.create({ url: "https://example.com/", slug: "opened-lately" });
    const stored = () => page.evaluate(`localStorage.getItem("terse.recent")`);
    const signInWith = async (owner: string) => {
      const { token } = await app.core.sessions.create(owner);
      await context.addCookies([{ name: "session", value: token, url: base }]);
    };
    const openLink = async () => {
      await page.goto(`${base}/links/${id}`);
      await page.getByRole("heading", { name: "short.test/opened-lately" }).waitFor();
      await expect.poll(stored).toContain("opened-lately");
    };
    const lately = page.getByRole("option", { name: "short.test/opened-lately" });
    const openPalette = async () => {
      await page.keyboard.press("Control+k");
      await page.getByRole("option", { name: "Analytics", exact: false }).first().waitFor();
    };

    await openLink();
    await app.core.sessions.endAll(account.id);
    await goTo(page, "a");
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    await expect.poll(stored).toBeNull();

    // While the browser was closed, its session expired: this page never sees that.
    await signInWith(account.id);
    await openLink();
    await openPalette();
    await lately.first().waitFor();
    await signInWith((await app.account("enterprise")).id);
    await page.goto(base);
    await page.getByRole("heading", { name: "Links", level: 1 }).waitFor();
    await openPalette();
    expect(await lately.count()).toBe(0);
    await page.getByRole("option", { name: "Analytics", exact: false }).first().click();
    await page.getByRole("heading", { name: "Analytics", level: 1 }).waitFor();
    expect(await stored()).not.toContain("opened-lately");
  });

  it("lets a program in, shows it beside the keys, and disconnects it", async () => {
    const { page, goto } = await open("/settings/keys");
    const redirect_uri = `${base}/health`;
    const registered = await app.ask("POST", "/oauth/register", {
      json: { client_name: "Assistant", redirect_uris: [redirect_uri] },
    });
    const { client_id } = registered.json as { client_id: string };
    const question = new URLSearchParams({
      client_id,
      redirect_uri,
      response_type: "code",
      code_challenge: "x".repeat(43),
      code_challenge_method: "S256",
    });
    await page.goto(`${base}/oauth/authorize?${question.toString()}`);
    await page.getByText("a program on your own computer").waitFor();
    await expectAccessible(page, "consent");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${redirect_uri}?code=*`);
    await goto();
    await page.getByRole("button", { name: "Disconnect Assistant" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("No connected apps.").waitFor();
  });

  it("shows how an assistant is connected, with a key that it makes for it", async () => {
    const { page, complaints, goto, account } = await open("/settings/assistants");
    await goto();
    await page.getByText("claude mcp add --transport http terse http://mcp.test/mcp").waitFor();
    await page.getByLabel("Assistant").selectOption("Cursor");
    const link = await page.getByRole("link", { name: "Add to Cursor" }).getAttribute("href");
    expect(link).toMatch(/^cursor:/);
    await page.getByLabel("with an API key").check();
    await page.getByRole("button", { name: "Create a key for it" }).click();
    await page.getByText("It is shown only once.").waitFor();
    await page.getByRole("button", { name: "Copy the configuration" }).click();
    const copied = JSON.parse(await page.evaluate<string>("navigator.clipboard.readText()"));
    const { url, headers } = copied.mcpServers.terse;
    expect(url).toBe("http://mcp.test/mcp");
    const actor = await app.core.credentials.byKey(headers.Authorization.slice("Bearer ".length));
    expect(actor).toMatchObject({ account: { id: account.id } });
    expect(complaints).toEqual([]);
  });

  it("is led through its first steps, once", async () => {
    const { page, links, goto } = await open("/", {}, "free");
    await goto();
    await page.getByLabel("A URL to shorten").fill("example.com/first");
    await expectAccessible(page, "first steps");
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: /^QR code of/ }).waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Waiting for the first click").waitFor();
    await page.reload();
    await page.getByText("Waiting for the first click").waitFor();
    const [made] = (await links.list({})).data;
    expect(made?.destination).toBe("https://example.com/first");
    const visit = { user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" };
    await app.core.clicks.record({ link_id: made?.id ?? "", address: "192.0.2.1", ...visit });
    await links.get({ id: made?.id ?? "" });
    await page.getByText("The first click has arrived.").waitFor();
    // In the list, too.
    await expect.poll(() => page.locator(".row .number").first().innerText()).toMatch(/^1\b/);
    await page.getByRole("button", { name: "Finish" }).click();
    await page.reload();
    await page.getByText("1 link", { exact: true }).waitFor();
    expect(await page.getByText("First steps").count()).toBe(0);
  });
});
