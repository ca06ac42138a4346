import { describe, expect, it } from "vitest";
import { poolOf } from "../../http/test/client.ts";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

const { app, base, open } = await startConsole();

describe.skipIf(missing !== null)(`the directory of links in a browser${leftOut}`, () => {
  it("finds links by slug, title and destination, and opens the exact one with Enter", async () => {
    const { page, links, goto, complaints } = await open("/go");
    const slug = `wiki-${Date.now()}`;
    const link = await links.create({ url: "https://example.com/handbook", slug, title: "Our wiki" });
    await links.create({ url: "https://example.com/other", slug: `${slug}-2` });
    await goto();
    const field = page.getByRole("searchbox");
    await page.locator("input[type=search]:focus").waitFor();
    for (const text of ["wiki-", "our WIKI", "com/handbook", link.short_url]) {
      await field.fill(text);
      await page
        .getByRole("link", { name: link.short_url.replace(/^https?:\/\//, ""), exact: true })
        .waitFor();
    }
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe(link.short_url);
    await field.fill("nothing like it");
    await page.getByText("No link found").waitFor();
    await expectAccessible(page, "the directory");

    await field.fill(slug);
    await page.locator("a.go-link").nth(1).waitFor();
    await field.press("ArrowDown");
    await page.locator("a.go-link:focus", { hasText: slug }).waitFor();
    await field.focus();
    const visit = page.waitForRequest((request) => request.isNavigationRequest());
    await field.press("Enter");
    expect((await visit).url()).toBe(link.short_url);
    expect(complaints.filter((each) => !each.includes("ERR_NAME_NOT_RESOLVED"))).toEqual([]);
  });

  it("is a search keyword: an address with an exact slug opens it, others are searched", async () => {
    const { page, links } = await open("/");
    const slug = String(Date.now());
    const link = await links.create({ url: "https://example.com/2026", slug });
    const visit = page.waitForRequest((request) => request.url() === link.short_url);
    await page.goto(`${base}/go?q=${slug}`, { waitUntil: "commit" });
    await visit;

    const further = await page.context().newPage();
    await further.goto(`${base}/go?q=${slug.slice(1)}`);
    await further.locator("a.go-link").waitFor();
    expect(await further.getByRole("searchbox").inputValue()).toBe(slug.slice(1));
  });
});

describe.skipIf(missing !== null)(`sharing a domain in a browser${leftOut}`, () => {
  it("offers the workspaces of which one is an admin, and shows a shared domain without its settings", async () => {
    const { page, account, caller, goto, complaints } = await open("/domains");
    const { id, domain } = await caller.domains.create({ domain: `go-${account.id}.example.com` });
    const pool = poolOf(app);
    await pool.query("update domains set status = 'verified', verified_at = now() where id = $1", [id]);
    const { id: team } = await caller.workspaces.create({ name: "The team" });
    await pool.query("update workspaces set plan = 'pro' where id = $1", [team]);
    await goto();
    const sharing = page.locator("details", { has: page.getByText("Sharing", { exact: true }) });
    const save = async () => {
      await sharing.getByRole("button", { name: "Save" }).click();
      await page.getByText(/^Saved who shares/).waitFor();
    };
    await sharing.locator("summary").click();
    await sharing.getByLabel("The team").check();
    await expectAccessible(page, "sharing a domain");
    await save();
    expect((await caller.domains.get({ id })).shared_with).toEqual([team]);

    const acting = { id: team, name: "The team", plan: "pro" } as const;
    const teams = app.core.caller({ kind: "account", account: acting, credential: "internal" });
    await teams.links.create({ url: "https://example.com/", domain });
    const other = await page.context().newPage();
    await other.goto(`${base}/domains?workspace=${team}`);
    await other.getByText("Another workspace shares this domain").waitFor();
    expect(await other.getByText("DNS records").count()).toBe(0);
    await expectAccessible(other, "a shared domain");

    await page.goto(`${base}/domains?workspace=${account.id}`);
    await sharing.locator("summary").click();
    await page.getByText("Other workspaces have 1 link here.").waitFor();
    await sharing.getByLabel("The team").uncheck();
    await save();
    await page.getByText(/have 1 link there, which redirect/).waitFor();
    expect(complaints).toEqual([]);
  });
});
