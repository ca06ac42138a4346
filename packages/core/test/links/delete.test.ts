import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, anonymous, clickOn, rejection, unknownId, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const pro = await actor("pro");
const other = await actor("free");
const { links } = core.caller(pro);
const notFound = { code: "NOT_FOUND", message: "Link not found" };

describe("deleting a link", () => {
  it("returns its id, and the link is not found afterwards", async () => {
    const { id, slug } = await links.create({ url, title: "Gone" });
    expect(await links.delete({ id })).toEqual({ id, deleted: true });
    expect(await rejection(links.get({ id }))).toEqual(notFound);
    expect(await rejection(links.update({ id, title: "Back" }))).toEqual(notFound);
    expect(await rejection(links.delete({ id }))).toEqual(notFound);
    expect((await links.list({ search: "Gone" })).data).toEqual([]);
    const visitor = { country: () => null, id: () => "v" };
    expect(await core.redirects.resolve("short.test", slug, visitor)).toEqual({ kind: "not_found" });
  });

  it("frees the slug, and the next link with it inherits nothing", async () => {
    const before = await links.create({
      url,
      slug: "reused",
      title: "Secret title",
      password: "secret",
      expires_at: "2030-01-01T00:00:00Z",
      geo_rules: [{ country: "DE", url }],
      ab_test: {
        variants: [
          { url, weight: 1 },
          { url, weight: 2 },
        ],
      },
    });
    await core.clicks.record(clickOn(before.id));
    await links.update({ id: before.id, is_active: 0 });
    await links.delete({ id: before.id });

    const after = await core.caller(other).links.create({ url: "https://example.org/", slug: "reused" });
    expect(after.id).not.toBe(before.id);
    expect(after).toMatchObject({
      slug: "reused",
      destination: "https://example.org/",
      title: null,
      click_count: 0,
      is_active: 1,
      expires_at: null,
      has_password: false,
      geo_rules: [],
      ab_test: null,
    });
    expect(await core.caller(other).links.get({ id: after.id })).toEqual(after);
    await core.clicks.record(clickOn(before.id));
    expect((await core.caller(other).links.get({ id: after.id })).click_count).toBe(0);
  });

  it("does not touch the same slug on another domain", async () => {
    await addDomain(core, pro.account.id, "own.example");
    const here = await links.create({ url, slug: "both" });
    const there = await links.create({ url, slug: "both", domain: "own.example" });
    await links.delete({ id: here.id });
    expect(await links.get({ id: there.id })).toEqual(there);
  });

  it("succeeds for one of many concurrent requests", async () => {
    const { id } = await links.create({ url });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => links.delete({ id })));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it.each([unknownId, "1", "", "a\0b", "%"])("is 404 for an id that never existed: %j", async (id) => {
    expect(await rejection(links.delete({ id }))).toEqual(notFound);
  });
});

describe("another account's link", () => {
  it("is answered like an id that never existed by every operation, and does not change", async () => {
    const link = await links.create({ url, title: "Mine" });
    for (const plan of ["free", "enterprise"] as const) {
      const intruder = core.caller(await actor(plan)).links;
      for (const call of [
        (id: string) => intruder.get({ id }),
        (id: string) => intruder.update({ id, title: "Theirs" }),
        (id: string) => intruder.update({ id }),
        (id: string) => intruder.delete({ id }),
      ]) {
        const [theirs, nobodys] = [await rejection(call(link.id)), await rejection(call(unknownId))];
        expect(theirs).toEqual(nobodys);
        expect(theirs).toEqual(notFound);
      }
    }
    expect(await links.get({ id: link.id })).toEqual(link);
  });

  it("cannot be managed if it has no account", async () => {
    const { id } = await core.caller(anonymous).links.create({ url });
    expect(await rejection(links.get({ id }))).toEqual(notFound);
    expect(await rejection(links.update({ id, title: "x" }))).toEqual(notFound);
    expect(await rejection(links.delete({ id }))).toEqual(notFound);
  });
});
