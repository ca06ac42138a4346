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

    await page.getByRole("button", { name: "Add a domain" }).click();
    const domain = page.getByRole("dialog", { name: "Add a domain" });
    await expectAccessible(page, "the form for a mail domain");
    await domain.getByLabel("Domain").fill("Acme.example");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove acme.example" }).waitFor();

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

  it("members see who made links, list them by maker, and hand them over; a viewer changes nothing", async () => {
    const owner = await open("/");
    const guest = await open("/");
    const { id } = await owner.caller.workspaces.create({ name: "Makers" });
    const pool = poolOf(app);
    await pool.query("update workspaces set plan = 'pro' where id = $1", [id]);
    const join = "insert into members values ($1, $2, 'viewer', 'invitation', now())";
    await pool.query(join, [id, guest.account.id]);
    for (const [slug, maker] of [
      ["made-by-owner", owner.account.id],
      ["made-by-another", "01900000-0000-7000-8000-000000000000"],
    ])
      await pool.query(
        `insert into links (id, account_id, slug, destination, created_at, updated_at, made_by)
         values (gen_random_uuid(), $1, $2, 'https://example.com/', now(), now(), $3)`,
        [id, slug, maker],
      );
    const { page } = owner;
    await page.goto(`${base}/?workspace=${id}`);
    await page.getByText(`made by ${owner.account.name}`, { exact: true }).waitFor();
    await expectAccessible(page, "links with their makers");
    await page.getByLabel("Maker", { exact: true }).selectOption("made by people who left");
    await page.getByText("1 link", { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("by")).toBe("left");
    await page.getByLabel(/^Select .*made-by-another$/).check();
    await page.getByRole("button", { name: "Hand over…" }).click();
    const form = page.getByRole("dialog", { name: "Hand over the link" });
    await form.getByLabel("New maker").selectOption(guest.account.name);
    await expectAccessible(page, "the question to whom links are handed over");
    await form.getByRole("button", { name: "Hand over" }).click();
    await page.getByText(`Handed over 1 link to ${guest.account.name}`).waitFor();
    await page.getByText("No links match these filters.").waitFor();

    await guest.page.goto(`${base}/?workspace=${id}&by=me`);
    await guest.page.getByLabel(/^Select .*made-by-another$/).check();
    await guest.page.getByRole("button", { name: "Copy short URLs" }).waitFor();
    expect(await guest.page.getByRole("button", { name: "Delete" }).count()).toBe(0);
    await guest.page.getByRole("link", { name: /made-by-another$/ }).click();
    await guest.page.getByText("Made by", { exact: true }).waitFor();
    await guest.page.getByText("Maker changed").waitFor();
    for (const name of ["Edit", "Delete", "Undo", "Hand over…"])
      expect(await guest.page.getByRole("button", { name }).count(), name).toBe(0);
    await settled(guest.page);
    await expectAccessible(guest.page, "a link as a viewer sees it");
    expect([...owner.complaints, ...guest.complaints]).toEqual([]);
  });

  it("an owner renames a workspace, offers it, and deletes the one that stays theirs; the other declines, then accepts", async () => {
    const owner = await open("/settings/workspace");
    const guest = await open("/");
    const { id } = await owner.caller.workspaces.create({ name: "Acme" });
    await poolOf(app).query("update workspaces set plan = 'pro' where id = $1", [id]);
    await poolOf(app).query("insert into members values ($1, $2, 'editor', 'invitation', now())", [
      id,
      guest.account.id,
    ]);
    const enter = (page: typeof owner.page, path: string) => page.goto(`${base}${path}?workspace=${id}`);
    const { page } = owner;
    await owner.goto();
    await page.getByText("This is your personal workspace").waitFor();
    await enter(page, "/settings/workspace");
    await page.getByLabel("Name", { exact: true }).fill("Acme marketing");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Workspace: Acme marketing" }).waitFor();
    await expectAccessible(page, "the settings of a workspace");
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page, "the settings of a workspace in the dark theme");

    const offer = async () => {
      await page.getByRole("button", { name: "Transfer the ownership" }).click();
      const form = page.getByRole("dialog", { name: "Transfer the ownership" });
      await form.getByLabel("New owner").selectOption(`${guest.account.name} (${guest.account.email})`);
      await expectAccessible(page, "the offer of a workspace");
      await form.getByRole("button", { name: "Offer it" }).click();
      await page.getByText(`Offered to ${guest.account.name}`).waitFor();
    };
    await offer();
    await guest.goto();
    await guest.page.getByRole("button", { name: /^Workspace: / }).click();
    await guest.page.getByText("offered to you").waitFor();
    await enter(guest.page, "/settings/workspace");
    await guest.page.getByText("would like you to own this workspace").waitFor();
    await expectAccessible(guest.page, "a workspace that is offered");
    expect(await guest.page.getByRole("button", { name: "Delete the workspace" }).count()).toBe(0);
    await guest.page.getByRole("button", { name: "Decline" }).click();
    await guest.page.getByText("The ownership stays as it is").waitFor();
    await page.reload();
    await offer();
    await guest.page.reload();
    await guest.page.getByRole("button", { name: "Accept" }).click();
    await guest.page.getByText("You own this workspace").waitFor();
    await page.reload();
    await page.getByText(`${guest.account.name} owns this workspace`).waitFor();

    // The new owner takes everything out, and ends it; a sign-in is asked for if the last one is old.
    const download = guest.page.waitForEvent("download");
    await guest.page.getByRole("button", { name: "Download the workspace" }).click();
    await download;
    await poolOf(app).query(
      "update sessions set created_at = now() - interval '1 hour' where account_id = $1",
      [guest.account.id],
    );
    await guest.page.getByRole("button", { name: "Delete the workspace" }).click();
    const question = guest.page.getByRole("dialog", { name: "Delete Acme marketing?" });
    await question.getByLabel("To confirm").fill("acme marketing");
    await expectAccessible(guest.page, "the question before a workspace is deleted");
    await question.getByRole("button", { name: "Delete the workspace" }).click();
    await guest.page.getByRole("heading", { name: "Sign in again" }).waitFor();
    await guest.page.keyboard.press("Escape");
    await poolOf(app).query("update sessions set created_at = now() where account_id = $1", [
      guest.account.id,
    ]);
    await question.getByRole("button", { name: "Delete the workspace" }).click();
    await guest.page.getByRole("button", { name: `Workspace: ${guest.account.name}` }).waitFor();
    await guest.page.getByRole("button", { name: /^Workspace: / }).click();
    await expectAccessible(guest.page, "a deleted workspace in the list");
    await guest.page.getByRole("button", { name: "Restore Acme marketing" }).click();
    await guest.page.getByRole("button", { name: "Acme marketing Owner" }).waitFor();
    // What is one's own is exported and deleted elsewhere.
    await guest.page.goto(`${base}/settings/data`);
    await guest.page.getByText("Workspaces that you share stay").waitFor();
  });
});
