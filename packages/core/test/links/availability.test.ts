import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, rejection, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const owner = await actor("pro");
const { links } = core.caller(owner);
const others = core.caller(await actor("pro"));

describe("the availability of a slug", () => {
  it.each([
    ["free-slug"],
    ["taken-slug"],
    ["page-slug"],
    ["Robots.txt"],
    [""],
    ["two words"],
    ["x".repeat(65)],
    ["zero\u200Bwidth"],
    ["e\u0301tude"],
  ])("is what creating a link with %j says", async (slug) => {
    if (slug === "taken-slug") await others.links.create({ url, slug });
    if (slug === "page-slug") await others.buckets.create({ name: "A", slug, links: [{ title: "A", url }] });
    const answer = await links.availability({ slug });
    const created = await links.create({ url, slug }).catch((error: Error) => error);
    const expected =
      created instanceof Error
        ? { slug, available: false, reason: created.message }
        : { slug: created.slug, shortUrl: created.shortUrl, available: true, reason: null };
    expect(answer).toMatchObject({ domain: "short.test", ...expected });
  });

  it("is for one domain, which must be the account's own and verified", async () => {
    await addDomain(core, owner.account.id, "go.availability.example");
    const here = { slug: "here", domain: "go.availability.example" };
    const { shortUrl } = await links.create({ url, ...here });
    expect(await links.availability(here)).toMatchObject({ ...here, shortUrl, available: false });
    expect(await links.availability({ slug: "here" })).toMatchObject({ available: true });
    for (const account of [await actor("pro"), await actor("free")]) {
      const another = core.caller(account).links;
      expect(await rejection(another.availability(here))).toEqual(
        await rejection(another.create({ url, ...here })),
      );
    }
  });

  it("changes at once when the link is deleted", async () => {
    const { id, slug } = await links.create({ url });
    expect(await links.availability({ slug })).toMatchObject({ available: false });
    await links.delete({ id });
    expect(await links.availability({ slug })).toMatchObject({ available: true });
  });

  it("can be asked for 120 times a minute", async () => {
    const asking = core.caller(await actor("free")).links;
    for (let at = 0; at < 120; at++) await asking.availability({ slug: "" });
    expect(await rejection(asking.availability({ slug: "" }))).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  });
});
