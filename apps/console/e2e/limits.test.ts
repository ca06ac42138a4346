import { describe, expect, it } from "vitest";
import { expectAccessible, leftOut, missing, startConsole } from "./open.ts";

const { app, open } = await startConsole();

describe.skipIf(missing !== null)(`when a link works${leftOut}`, () => {
  it("is set in the builder, shown on the link's page, and found in the list", async () => {
    const { page, links, complaints, goto } = await open("/?new=https://example.com/sale");
    await goto();
    const panel = page.getByRole("dialog", { name: "Create a link" });
    await panel.getByText("More options").click();
    const group = panel.getByRole("region", { name: "Availability" });
    await group.getByLabel("Click limit").fill("2 clicks");
    await group.getByText("Stops after exactly 2 clicks by people.").waitFor();
    await group.getByLabel("Fallback URL").fill("example.com/over");
    await expectAccessible(page, "the builder with a click limit");
    await panel.getByRole("button", { name: /^Create/ }).click();
    await expect.poll(async () => (await links.list()).meta.total).toBe(1);
    const [link] = (await links.list()).data;
    expect(link).toMatchObject({ click_limit: 2, fallback_url: "https://example.com/over", starts_at: null });

    const { id = "", slug = "" } = link ?? {};
    const visit = async () => {
      const decision = await app.core.redirects.resolve("short.test", slug, {
        country: () => null,
        id: () => "",
      });
      if (decision.kind !== "redirect") throw new Error(decision.kind);
      const { counts_as } = decision;
      await app.core.clicks.record({ link_id: id, user_agent: "Mozilla/5.0 Firefox/140.0", counts_as });
    };
    await visit();
    await page.goto(new URL("/", page.url()).href);
    await page.getByText("1 click left").waitFor();
    for (let left = 3; left > 0; left--) await visit();

    await page.goto(new URL(`/links/${id}`, page.url()).href);
    const facts = page.getByRole("complementary", { name: "About this link" });
    await facts.getByText("Click limit reached.").waitFor();
    await facts.getByText("Visitors are sent to the fallback URL.").waitFor();
    await facts.getByRole("meter", { name: "2 of 2 clicks" }).waitFor();
    await facts.getByText("2 visitors sent there").waitFor();
    await expectAccessible(page, "the page of a link that is used up");

    await page.goto(new URL("/?state=used_up&has=limit", page.url()).href);
    await page.getByRole("link", { name: `short.test/${slug}` }).waitFor();
    expect(await page.getByLabel("State").inputValue()).toBe("used_up");
    expect(complaints).toEqual([]);
  });

  it("begins at a time that was typed, and at once when that is taken away", async () => {
    const { page, links, complaints, goto } = await open("/?new=https://example.com/sale", {
      locale: "en-US",
      timezoneId: "Europe/Berlin",
    });
    await goto();
    const panel = page.getByRole("dialog", { name: "Create a link" });
    await panel.getByText("More options").click();
    await panel.getByRole("group", { name: "Starts on" }).getByRole("spinbutton").first().click();
    for (const part of ["01", "31", "2031", "12", "00", "PM"]) await page.keyboard.type(part);
    await panel.getByRole("button", { name: /^Create/ }).click();
    await panel.waitFor({ state: "detached" });
    const { data } = await links.list();
    expect(data).toMatchObject([{ starts_at: "2031-01-31T11:00:00.000Z" }]);
    await page.goto(new URL(`/links/${data[0]?.id}?edit=true`, page.url()).href);
    const edited = page.getByRole("dialog", { name: "Edit the link" });
    await edited.getByRole("button", { name: "Start now" }).click();
    const begins = edited.getByRole("group", { name: "Starts on" });
    await expect.poll(() => begins.getByRole("spinbutton").first().textContent()).toBe("mm");
    await expect.poll(() => begins.locator(":focus").count()).toBe(1);
    await edited.getByRole("button", { name: /^Save/ }).click();
    await edited.waitFor({ state: "detached" });
    expect((await links.list()).data).toMatchObject([{ starts_at: null }]);
    // Other HTML than none stays refused.
    const refused = page.evaluate("document.body.innerHTML = '<p>'");
    await expect(refused).rejects.toThrow(/TrustedHTML/);
    expect(complaints.filter((text) => !text.includes("TrustedHTML"))).toEqual([]);
  });
});
