import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

const { app, base, open } = await startConsole();

describe.skipIf(missing !== null)(`the operator's screens${leftOut}`, () => {
  it("show a report, disable its link, suspend the account and change a plan", async () => {
    const { page, account, complaints } = await open("/");
    await app.core.accounts.setOperator(account.email, true);
    const spammer = await app.account("free");
    const theirs = app.core.caller({ kind: "account", account: spammer, credential: "internal" }).links;
    const link = await theirs.create({ url: "https://phishing.example/login", slug: "free-money" });
    await app.core.reports.submit({
      link_id: link.id,
      reason: "phishing",
      details: "<img src=x onerror=alert(1)>",
      address: "192.0.2.7",
    });
    await page.goto(base);
    await page.getByRole("link", { name: "Operator" }).click();
    await page.getByText("Clicks not counted yet").waitFor();
    await expectAccessible(page, "service");
    await page.getByRole("navigation", { name: "Operator" }).getByRole("link", { name: "Reports" }).click();
    await page.getByText("<img src=x onerror=alert(1)>").waitFor();
    await expectAccessible(page, "reports");

    await page.getByRole("button", { name: "Disable" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("phishing");
    await dialog.getByRole("button", { name: "Disable" }).click();
    await page.getByText("Visitors now get 410.").waitFor();
    expect(await theirs.get({ id: link.id })).toMatchObject({ disabled_reason: "phishing" });
    await page.getByRole("button", { name: "Close" }).first().click();
    await page.getByText("No open reports").waitFor();

    await page.getByRole("navigation", { name: "Operator" }).getByRole("link", { name: "Links" }).click();
    // The newest of all accounts, before anything is searched.
    await page.getByRole("row", { name: /free-money.*disabled/ }).waitFor();
    await expectAccessible(page, "links");

    await page.getByRole("link", { name: "Accounts", exact: true }).click();
    await page.getByRole("searchbox").fill(spammer.email);
    await page.keyboard.press("Enter");
    await page.getByText("1 account", { exact: true }).waitFor();
    await page.getByRole("button", { name: spammer.email }).click();
    await dialog.getByLabel("Plan").selectOption("pro");
    await expect.poll(async () => (await app.core.accounts.details(spammer.id)).plan).toBe("pro");
    await expectAccessible(page, "account");
    await dialog.getByRole("button", { name: "Suspend" }).click();
    await page.getByLabel("Reason").fill("phishing");
    await dialog.getByRole("button", { name: "Suspend" }).click();
    await dialog.getByRole("button", { name: "End the suspension" }).waitFor();
    expect(await app.core.accounts.details(spammer.id)).toMatchObject({ suspended_reason: "phishing" });
    expect(complaints).toEqual([]);
  });

  it("are not there for others, and neither is what they call", async () => {
    const { page, token } = await open("/");
    await page.goto(base);
    await page.getByText("No links yet").waitFor();
    expect(await page.getByRole("link", { name: "Operator" }).count()).toBe(0);
    const ask = (headers: Record<string, string>) =>
      app.app.request("/trpc-operator/accounts?input={}", { headers });
    const { key } = await app.core.keys.issue((await app.account("enterprise")).id);
    for (const [headers, status] of [
      [{}, 401],
      [{ Authorization: `Bearer ${key}` }, 403],
      [{ Cookie: `session=${token}` }, 403],
    ] as const) {
      expect((await ask(headers)).status).toBe(status);
    }
  });
});
