import { describe, expect, it } from "vitest";
import { poolOf } from "../../http/test/client.ts";
import { expectAccessible, leftOut, missing, settled, startConsole } from "./open.ts";

const { app, base, open } = await startConsole();

describe.skipIf(missing !== null)(`people in a workspace${leftOut}`, () => {
  it("an owner invites by a link, another person accepts in the browser, and gets another role", async () => {
    const { page, goto, complaints, context } = await open("/analytics");
    await goto();
    await page.getByRole("heading", { name: "Analytics" }).waitFor();
    // By keyboard: the switcher is the first thing after the link to the content.
    await page.getByRole("button", { name: /^Workspace: / }).focus();
    await page.keyboard.press("Enter");
    const list = page.getByRole("dialog", { name: "Workspaces" });
    await list.getByText("Personal").waitFor();
    await expectAccessible(page, "the list of workspaces");
    await list.getByRole("button", { name: "Create a workspace" }).press("Enter");
    const form = page.getByRole("dialog", { name: "Create a workspace" });
    await form.getByLabel("Name").fill("Acme marketing");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Workspace: Acme marketing" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/analytics");
    await poolOf(app).query("update workspaces set plan = 'enterprise' where name = 'Acme marketing'");

    await page.goto(`${base}/settings/people`);
    await page.getByRole("button", { name: "Invite someone" }).click();
    const invite = page.getByRole("dialog", { name: "Invite someone" });
    await expectAccessible(page, "the form for an invitation");
    await invite.getByRole("button", { name: "Create the invitation" }).click();
    const ready = page.getByRole("dialog", { name: "The invitation" });
    const url = (await ready.locator("code").textContent()) ?? "";
    expect(url).toMatch(/\/invite\/[\w-]{43}$/);
    await expectAccessible(page, "the invitation");
    await ready.getByRole("button", { name: "Done" }).click();
    await page.getByText("Whoever has the link").waitFor();

    const guest = await open("/");
    await guest.page.goto(base + new URL(url).pathname);
    await guest.page.getByText("an editor").waitFor();
    await expectAccessible(guest.page, "the page of an invitation");
    await guest.page.getByRole("button", { name: "Join" }).click();
    await guest.page.getByRole("button", { name: "Workspace: Acme marketing" }).waitFor();
    expect(guest.page.url()).toBe(`${base}/`);
    await guest.page.getByRole("button", { name: "Create", exact: true }).waitFor();

    await page.reload();
    const members = page.getByRole("list", { name: "Members" });
    const role = members.getByLabel(`Role of ${guest.account.name}`);
    await role.selectOption("Viewer");
    await page.getByText("now has the role Viewer").waitFor();
    await settled(page);
    await expectAccessible(page, "people");
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page, "people in the dark theme");

    await guest.page.reload();
    await guest.page.getByText("Your role in this workspace is Viewer").waitFor();
    expect(await guest.page.getByRole("button", { name: "Create", exact: true }).count()).toBe(0);
    await guest.page.goto(`${base}/settings/people`);
    await guest.page.getByRole("button", { name: "Leave" }).click();
    await guest.page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await guest.page.getByRole("button", { name: `Workspace: ${guest.account.name}` }).waitFor();

    // In another tab of the browser, the workspace is the one that was shown last.
    const tab = await context.newPage();
    await tab.goto(base);
    await tab.getByRole("button", { name: "Workspace: Acme marketing" }).waitFor();
    expect([...complaints, ...guest.complaints]).toEqual([]);
  });
});
