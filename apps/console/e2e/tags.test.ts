import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

const { open } = await startConsole();

describe.skipIf(missing !== null)(`tags in a browser${leftOut}`, () => {
  it("are given in the builder, filter the list by a press, and are given to many links at once", async () => {
    const { page, links, complaints, goto } = await open("/");
    await links.create({ url: "https://example.com/1", slug: "plain-tags", title: "Plain" });
    await links.create({ url: "https://example.com/2", slug: "known-tags", tags: ["Launch"] });
    await goto();
    await page.getByText("2 links").waitFor();

    await page.getByRole("main").press("c");
    await page.getByLabel("Destination").fill("https://example.com/3");
    const field = page.getByLabel("Tags", { exact: true });
    await field.pressSequentially("launch,new one");
    await field.press("Enter");
    await page.getByRole("button", { name: "+ Notes" }).click();
    await page.getByRole("textbox", { name: "Notes" }).fill("First line\nsecond line");
    await expectAccessible(page, "the builder with tags");
    await page
      .getByRole("button", { name: /^Create/ })
      .last()
      .click();
    await expect
      .poll(async () => (await links.list({ tag: "new one" })).data.map(({ tags, notes }) => [tags, notes]))
      .toEqual([[["Launch", "new one"], "First line\nsecond line"]]);

    await page.getByRole("link", { name: "Show only links tagged Launch" }).first().click();
    await page.getByText("2 links", { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("tag")).toBe('["Launch"]');
    await page.getByLabel("Tag", { exact: true }).selectOption("new one");
    await page.getByText("1 link", { exact: true }).waitFor();
    await expectAccessible(page, "the list filtered by tags");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("3 links", { exact: true }).waitFor();

    for (const box of await page.getByRole("checkbox", { name: /tags$/ }).all()) await box.click();
    await page.getByRole("region", { name: "Selected links" }).getByRole("button", { name: "Tags" }).click();
    await page.getByRole("button", { name: "Change tags" }).click();
    await page.getByText("Enter a tag to add or remove.").waitFor();
    await page.getByLabel("Add these tags").fill("later");
    await page.getByLabel("Remove these tags").fill("launch");
    await page.getByRole("button", { name: "Change tags" }).click();
    await expect.poll(async () => (await links.list({ tag: "later" })).meta.total).toBe(2);
    expect((await links.list({ tag: "launch" })).data.map(({ tags }) => tags)).toEqual([
      ["Launch", "new one"],
    ]);
    expect(complaints).toEqual([]);
  });

  it("come back by an undo after they were renamed, merged or deleted", async () => {
    const { page, caller, links, complaints, goto } = await open("/settings/tags");
    await links.create({ url: "https://example.com/1", tags: ["one"] });
    await links.create({ url: "https://example.com/2", tags: ["two"] });
    const namesNow = async () =>
      (await caller.tags.list({})).filter((tag) => tag.links > 0).map(({ name, links: n }) => [name, n]);
    const undo = async (message: string) => {
      const toast = page.locator(".toast").filter({ hasText: message });
      await toast.getByRole("button", { name: "Undo" }).click();
      await expect.poll(namesNow).toEqual([
        ["one", 1],
        ["two", 1],
      ]);
    };
    const rename = async (name: string, verb: string) => {
      await page.getByRole("button", { name: "Rename one" }).click();
      await page.getByLabel("New name").fill(name);
      if (verb === "Merge") await page.getByText("The tag two already exists on 1 link.").waitFor();
      await page.getByRole("button", { name: verb, exact: true }).last().click();
    };
    await goto();
    await rename("first", "Rename");
    await undo("one is now first");
    await rename("two", "Merge");
    await undo("Merged one into two");
    await page.getByRole("button", { name: "Delete one" }).click();
    await page.getByText(/removed from 1 link/).waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).last().click();
    await undo("Deleted the tag one");
    expect(complaints).toEqual([]);
  });
});
