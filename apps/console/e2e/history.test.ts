import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

const { app, open } = await startConsole();

describe.skipIf(missing !== null)(`the history of links in a browser${leftOut}`, () => {
  it("shows what was changed, by whom, takes it back after a reload, and marks the chart", async () => {
    const { page, links, account, complaints, goto } = await open("/");
    const key = await app.core.keys.issue(account.id, "laptop");
    const byKey = app.core.caller((await app.core.credentials.byKey(key.key))!);
    const { id } = await byKey.links.create({ url: "https://example.com/old", title: "Old" });
    await goto();
    await page.goto(`${new URL(page.url()).origin}/links/${id}?edit=true`);
    const builder = page.getByRole("dialog");
    await builder.getByLabel("Destination", { exact: true }).fill("https://example.com/new");
    await builder.getByRole("button", { name: "Save" }).click();
    const history = page.getByRole("region", { name: "History" });
    await history.getByText("Destination changed").waitFor();
    await page.reload();
    await history.getByText("example.com/new").waitFor();
    await history.getByText(/API key “laptop”/).waitFor();
    expect(await page.locator(".plot .mark").count()).toBe(1);
    await expectAccessible(page, "a link with changes");
    await history.getByRole("button", { name: "Undo: Destination changed" }).click();
    await history.getByText(/reverted another change/).waitFor();
    expect((await links.get({ id })).destination).toBe("https://example.com/old");
    expect(complaints).toEqual([]);
  });

  it("brings back deleted links, from the list of all changes and from the page of the link", async () => {
    const { page, links, caller, goto } = await open("/changes");
    const ids = await Promise.all(
      [1, 2, 3].map(async (n) => (await links.create({ url: `https://example.com/${n}` })).id),
    );
    await links.bulkDelete({ ids });
    await goto();
    await page.getByText("3 links deleted").waitFor();
    await page.getByText("3 links created").waitFor();
    await expectAccessible(page, "the list of changes");
    await page.getByRole("button", { name: "Bring back: 3 links deleted" }).click();
    await page.getByText("Undone for 3 links").waitFor();
    await page.getByText("3 links brought back").waitFor();
    expect((await links.list({})).meta.total).toBe(3);

    await links.delete({ id: ids[0]! });
    await page.goto(`${new URL(page.url()).origin}/links/${ids[0]}`);
    await page.getByRole("button", { name: "Bring back: Deleted" }).first().click();
    await page
      .getByText("Where visitors go")
      .or(page.getByRole("button", { name: "Edit" }))
      .first()
      .waitFor();
    expect((await caller.changes.list()).data[0]).toMatchObject({ action: "restore", link_id: ids[0] });
  });
});
