import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

let ahead = 0;
const { app, base, newContext, open } = await startConsole({ clock: () => new Date(Date.now() + ahead) });
const mailing = await startConsole({ mail: { url: "smtp://localhost:9", from: "terse@example.com" } });
const minuteMs = 60_000;

/** The browser of the tests says that it is headless, which reads as a bot. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** Gives a page's browser a device that verifies its user at once, or never. */
async function withDevice(page: Page, { isVerified = true } = {}) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: isVerified,
      automaticPresenceSimulation: true,
    },
  });
  const credentials = async () =>
    (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
  const addCredential = (credential: Awaited<ReturnType<typeof credentials>>[number]) =>
    devtools.send("WebAuthn.addCredential", { authenticatorId, credential });
  return { credentials, addCredential };
}

const section = (page: Page) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: "Passkeys" }) });
const signInButton = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" });

/** An account in a browser whose device has a passkey of it. */
async function withPasskey(path = "/settings/sign-in") {
  const opened = await open("/settings/sign-in", { userAgent });
  const device = await withDevice(opened.page);
  await opened.goto();
  await section(opened.page).getByRole("button", { name: "Add a passkey" }).click();
  await opened.page.getByText("Added the passkey").waitFor();
  if (path !== "/settings/sign-in") await opened.page.goto(base + path);
  return { ...opened, device };
}

describe.skipIf(missing !== null)(`passkeys in a browser${leftOut}`, () => {
  it("are added, renamed, used to sign in, and removed except for the last", async () => {
    const { page, account, device, complaints } = await withPasskey();
    const list = section(page);
    await list.getByText("Chrome on Linux").waitFor();
    await expectAccessible(page, "passkeys");
    expect(await device.credentials()).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);
    expect(await list.getByRole("button", { name: "Remove" }).count()).toBe(0);
    await list.getByRole("button", { name: "Rename Chrome on Linux" }).click();
    await page.getByRole("dialog").getByLabel("Name of the passkey").fill("Desk");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await list.getByText("Desk").waitFor();
    // The same device makes no second one.
    await list.getByRole("button", { name: "Add a passkey" }).click();
    await list.getByText("already has a passkey for this account").waitFor();

    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await signInButton(page).waitFor();
    await expectAccessible(page, "sign-in with a passkey");
    await page.goto(`${base}/settings/sign-in`);
    await signInButton(page).click();
    await list.getByText("last used").waitFor();
    expect(page.url()).toBe(`${base}/settings/sign-in`);

    // A second one, on another device.
    const other = await app.core.sessions.create(account.id);
    const context = await newContext();
    await context.addCookies([{ name: "session", value: other.token, url: base }]);
    const second = await context.newPage();
    await withDevice(second);
    await second.goto(`${base}/settings/sign-in`);
    await section(second).getByRole("button", { name: "Add a passkey" }).click();
    await section(second).getByRole("button", { name: "Remove Desk" }).click();
    await second.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await second.getByText("Removed. All other browsers are signed out.").waitFor();
    await page.reload();
    await signInButton(page).click();
    await page.getByText("This passkey does not belong to an account here").waitFor();
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
  });

  it("sign in again in the same tab, and only to the same account", async () => {
    const { page, account, device } = await withPasskey();
    const other = await withPasskey();
    ahead += 11 * minuteMs;
    await page.goto(`${base}/settings/keys?new=true`);
    const dialog = page.getByRole("dialog", { name: "Create a key" });
    await dialog.getByLabel("Name of the key").fill("Laptop");
    await dialog.getByRole("button", { name: "Create a key" }).click();
    await page.getByText("Sign in again to create an API key").last().waitFor();
    await signInButton(page).click();
    await page.getByText("You're signed in again").waitFor();
    await dialog.getByRole("button", { name: "Create a key" }).click();
    await page.getByText("Copy the key now.").waitFor();
    expect(await app.core.keys.list(account.id)).toHaveLength(1);

    // A device with the other account's passkey only.
    const context = await newContext();
    const { token } = await app.core.sessions.create(account.id);
    ahead += 11 * minuteMs;
    await context.addCookies([{ name: "session", value: token, url: base }]);
    const stolen = await context.newPage();
    const { addCredential } = await withDevice(stolen);
    for (const credential of await other.device.credentials()) await addCredential(credential);
    await stolen.goto(`${base}/settings/sign-in`);
    await section(stolen).getByRole("button", { name: "Add a passkey" }).click();
    await stolen.getByText("Sign in again to add a passkey").last().waitFor();
    await signInButton(stolen).click();
    await stolen.getByText("this device has none for this service").waitFor();
    expect(await device.credentials()).toHaveLength(1);
  });

  it("are refused from another origin, and a second time", async () => {
    const { page, device } = await withPasskey();
    const { credentials } = device;
    // What the service is sent, as a page of another origin on this machine could make it.
    const foreign = await (await newContext()).newPage();
    await foreign.route("http://localhost:1/", (route) =>
      route.fulfill({ contentType: "text/html", body: "<title>Elsewhere</title>" }),
    );
    const { addCredential } = await withDevice(foreign);
    for (const credential of await credentials()) await addCredential(credential);
    await foreign.goto("http://localhost:1/");
    const { json } = await app.ask("POST", "/auth/passkey/options", { json: {} });
    const asked = JSON.stringify((json as { data: unknown }).data);
    const response = await foreign.evaluate<unknown>(`navigator.credentials
      .get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${asked}) })
      .then((credential) => credential.toJSON())`);
    const refused = await app.ask("POST", "/auth/passkey/verify", { json: { response } });
    expect([refused.status, refused.headers.has("set-cookie")]).toEqual([401, false]);

    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    const sent = page.waitForRequest("**/auth/passkey/verify");
    await signInButton(page).click();
    const request = await sent;
    const body = request.postData() ?? "";
    expect((await request.response())?.status()).toBe(200);
    const replayed = await app.ask("POST", "/auth/passkey/verify", { json: JSON.parse(body) as object });
    expect([replayed.status, replayed.headers.has("set-cookie")]).toEqual([401, false]);
  });

  it("are not made or used by a device that does not verify its user", async () => {
    const { page, goto } = await open("/settings/sign-in");
    await withDevice(page, { isVerified: false });
    await goto();
    await section(page).getByRole("button", { name: "Add a passkey" }).click();
    await section(page).getByRole("alert").waitFor();
    await section(page).getByText("No passkeys yet").waitFor();
  });

  it("are offered to a person who signs in with one-time links, and work on the page without the console", async () => {
    const { page, account, goto } = await open("/");
    const device = await withDevice(page);
    await goto();
    const offer = page.getByRole("region", { name: "Sign in without a link next time" });
    await offer.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("Added the passkey").waitFor();
    expect(await offer.count()).toBe(0);
    expect(await device.credentials()).toHaveLength(1);
    await page.context().clearCookies();
    await page.goto(`${base}/shorten`);
    await page.getByRole("link", { name: "Sign in with a passkey" }).click();
    await expectAccessible(page, "the page of passkeys");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(`${base}/`);
    const { data } = await app.core
      .caller({ kind: "account", account, credential: "internal" })
      .activity.list({});
    expect(data[0]).toMatchObject({ action: "signed_in", about: "passkey" });
  });

  it("are offered in the field for an address, and may all go where codes are sent to it", async () => {
    const { page, context, goto } = await mailing.open("/settings/sign-in", { userAgent });
    await withDevice(page);
    await goto();
    await section(page).getByRole("button", { name: "Add a passkey" }).click();
    await page.getByText("Added the passkey").waitFor();
    // The device offers its passkey, and chooses it, without a button.
    await context.clearCookies();
    await page.goto(`${mailing.base}/analytics`);
    await page.getByRole("heading", { name: "Analytics" }).first().waitFor();
    await context.clearCookies();
    await page.goto(`${mailing.base}/shorten`);
    await page.waitForURL(`${mailing.base}/`);
    await goto();
    await section(page).getByRole("button", { name: "Remove Chrome on Linux" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await section(page).getByText("No passkeys yet").waitFor();
  });
});
