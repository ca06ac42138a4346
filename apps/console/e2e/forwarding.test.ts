import { challengeOf, prove } from "@terse/testkit/dns";
import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

const { open, dns } = await startConsole();

describe.skipIf(missing !== null)(`what a redirect looks like, in the console${leftOut}`, () => {
  it("is set in the builder, where an example says what it does, and told on the link's page", async () => {
    const { page, links, complaints, goto } = await open("/?new=https://example.com/docs?lang=en");
    await goto();
    const panel = page.getByRole("dialog", { name: "Create a link" });
    expect(await panel.getByLabel("Redirect type").count()).toBe(0);
    await panel.getByText("More options").click();
    await panel.getByLabel("Redirect type").selectOption("308");
    await panel.getByText("Like 301, but a form sent").waitFor();
    await panel.getByLabel("Query string of the visit").selectOption("override");
    await panel.getByLabel("Append the path after the slug").check();
    await panel.getByText("example.com/docs/a/b?lang=en&ref=mail", { exact: true }).waitFor();
    await panel.getByLabel("Title in chats").fill("Our docs");
    await panel.getByLabel("Image (1200").fill("images.example.com/docs.png");
    await panel.getByText("Image at images.example.com/docs.png").waitFor();
    await expectAccessible(page, "builder with forwarding");
    await panel.getByRole("button", { name: "Create" }).click();
    await panel.waitFor({ state: "detached" });
    const { data } = await links.list({});
    expect(data).toMatchObject([
      {
        redirect_status: 308,
        forward_query: "override",
        forward_path: true,
        preview: { title: "Our docs", description: null, image: "https://images.example.com/docs.png" },
      },
    ]);
    await page.goto(new URL(`/links/${data[0]?.id}`, page.url()).href);
    const facts = page.getByRole("complementary", { name: "About this link" });
    await facts.getByText("the path after the slug and the query string, which takes precedence").waitFor();
    await facts.getByText("308: permanent, keeps the method").waitFor();
    await facts.getByText("Our docs").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const edited = page.getByRole("dialog");
    await edited.getByRole("button", { name: "Remove the preview" }).click();
    await edited.getByLabel("Query string of the visit").selectOption("none");
    await edited.getByRole("button", { name: "Save" }).click();
    await edited.waitFor({ state: "detached" });
    expect((await links.list({})).data).toMatchObject([
      { preview: null, forward_query: "none", forward_path: true },
    ]);
    expect(complaints).toEqual([]);
  });

  it("is set for a domain, with the place of a mistake in its files", async () => {
    const { page, caller, complaints, goto } = await open("/domains");
    const made = await caller.domains.create({ domain: "go.settings-screen.example" });
    prove(dns, made.domain, challengeOf(made));
    await caller.domains.verify({ id: made.id });
    await goto();
    await page.getByText("Other visits and apps").click();
    const save = page.getByRole("button", { name: "Save" });
    await page.getByLabel("Unknown slugs").fill("example.com/lost");
    const apple = page.getByLabel("Apple: apple-app-site-association");
    await apple.fill('{\n  "webcredentials": {,}\n}');
    await page.getByText("This isn't valid JSON: see line 2, column 22.").waitFor();
    expect(await save.isDisabled()).toBe(true);
    await expectAccessible(page, "settings of a domain");
    await apple.fill('{"webcredentials": {"apps": ["example.app"]}}');
    await save.click();
    await page.getByText("webcredentials › apps › 0: must be ten capital letters").waitFor();
    await apple.fill('{"webcredentials": {"apps": ["ABCDE12345.example.app"]}}');
    await save.click();
    await page.getByText(`Saved the settings of ${made.domain}`).waitFor();
    expect(await caller.domains.list()).toMatchObject([
      {
        root_url: null,
        not_found_url: "https://example.com/lost",
        apple_app_site_association: { webcredentials: { apps: ["ABCDE12345.example.app"] } },
      },
    ]);
    expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
  });
});
