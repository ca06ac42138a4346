import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { addDomain, clickOn, depsOf, rejection, unknownId, url } from "../../helpers.ts";
import { item, items, rowsOf } from "./helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const owner = await actor("pro");
const { buckets, links } = core.caller(owner);
const [a, b, c] = [item("a"), item("b"), item("c")];

const make = (list = [a, b, c]) => buckets.create({ name: "Before", links: list });

describe("updating a bucket", () => {
  it("changes the given fields and leaves the others", async () => {
    const before = await make();
    const named = await buckets.update({ id: before.id, name: "After" });
    expect(named).toEqual({ ...before, name: "After", updated_at: named.updated_at });
    expect(named.updated_at >= before.updated_at).toBe(true);
    const listed = await buckets.update({ id: before.id, links: [b] });
    expect(listed).toEqual({ ...named, links: [b], updated_at: listed.updated_at });
    expect(await buckets.get({ id: before.id })).toEqual(listed);
  });

  it("changes nothing if no field is known", async () => {
    const before = await make();
    expect(await buckets.update({ id: before.id, created_at: "2001-01-01" } as never)).toEqual(before);
  });

  it("moves the items together with the slug, and frees the old slug", async () => {
    const { id, slug } = await make();
    const other = `renamed-${randomUUID()}`;
    expect(await buckets.update({ id, slug: other })).toMatchObject({
      slug: other,
      shortUrl: `http://short.test/${other}`,
      links: [a, b, c],
    });
    expect((await rowsOf(core, id)).map((row) => row.slug)).toEqual([
      other,
      `${other}/1`,
      `${other}/2`,
      `${other}/3`,
    ]);
    expect((await buckets.create({ name: "Next", slug, links: items(3) })).slug).toBe(slug);
  });

  it("is no conflict if the slug is its own", async () => {
    const { id, slug } = await make();
    expect((await buckets.update({ id, slug })).slug).toBe(slug);
  });

  it("keeps the row, number and count of an item that moves, or keeps its URL or title", async () => {
    const { id, slug } = await make();
    const before = await rowsOf(core, id);
    for (let n = 0; n < 3; n++) await core.clicks.record(clickOn(before[2]?.id ?? ""));
    await buckets.update({
      id,
      links: [c, { ...b, title: "B, renamed" }, { ...a, url: "https://a.example/new" }],
    });
    const after = await rowsOf(core, id);
    expect(after.map((row) => [row.id, row.slug, row.position])).toEqual([
      [id, slug, null],
      [before[3]?.id, `${slug}/3`, 1],
      [before[2]?.id, `${slug}/2`, 2],
      [before[1]?.id, `${slug}/1`, 3],
    ]);
    expect((await buckets.stats({ id })).links[1]).toEqual({ title: "B, renamed", url: b.url, clicks: 3 });
  });

  it("never reuses an item's number", async () => {
    const { id, slug } = await make();
    await buckets.update({ id, links: [a] });
    await buckets.update({ id, links: [item("d"), a, item("e")] });
    expect((await rowsOf(core, id)).map((row) => row.slug)).toEqual([
      slug,
      `${slug}/4`,
      `${slug}/1`,
      `${slug}/5`,
    ]);
  });

  it("does not write unchanged rows", async () => {
    const { id } = await make();
    const before = await rowsOf(core, id);
    await buckets.update({ id, name: "Other", links: [a, b, item("d")] });
    const after = await rowsOf(core, id);
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3));
  });

  it("can replace ten links with ten others", async () => {
    const { id } = await make(items(10));
    const others = Array.from({ length: 10 }, (_, at) => item(`other-${at}`));
    expect((await buckets.update({ id, links: others })).links).toEqual(others);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["no link", { links: [] }, "links: must have at least one link"],
    ["eleven links", { links: items(11) }, "links: must have at most 10 links"],
    ["an empty name", { name: "" }, "name: must not be empty"],
    ["a null name", { name: null }, "name: expected string, received null"],
    ["a reserved slug", { slug: "health" }, "slug: is reserved; choose another one"],
    [
      "a loop",
      { links: [a, item("x", "http://short.test/x")] },
      "links.1.url: must not point back at a short-link host (that would be a loop)",
    ],
  ])("refuses %s, and changes nothing", async (_, input, message) => {
    const before = await make();
    const call = buckets.update({ id: before.id, name: "Changed", ...input });
    expect(await rejection(call)).toEqual({ code: "BAD_REQUEST", message });
    expect(await buckets.get({ id: before.id })).toEqual(before);
  });

  it("refuses a link to a verified domain", async () => {
    const domain = `${randomUUID()}.example`;
    await addDomain(core, owner.account.id, domain);
    const { id } = await make();
    const call = buckets.update({ id, links: [item("x", `http://${domain}./`)] });
    expect((await rejection(call)).message).toMatch(/^links\.0\.url: must not point back/);
  });

  it("refuses a slug taken by a link or a bucket, and changes nothing", async () => {
    const before = await make();
    for (const { slug } of [await links.create({ url }), await make()]) {
      const call = buckets.update({ id: before.id, name: "Changed", slug, links: [a] });
      expect(await rejection(call)).toMatchObject({ code: "CONFLICT" });
    }
    expect(await buckets.get({ id: before.id })).toEqual(before);
  });

  it("succeeds for one of many concurrent renames to the same slug", async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => make()));
    const slug = `wanted-${randomUUID()}`;
    const outcomes = await Promise.allSettled([
      ...many.map(({ id }) => buckets.update({ id, slug })),
      links.create({ url, slug }),
      buckets.create({ name: "n", slug, links: items(2) }),
    ]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 9 }, () => "CONFLICT"));
  });

  it("answers 409, not 500, to two buckets that swap their slugs", async () => {
    for (let round = 0; round < 5; round++) {
      const [one, other] = await Promise.all([make(), make()]);
      const outcomes = await Promise.allSettled([
        buckets.update({ id: one.id, slug: other.slug }),
        buckets.update({ id: other.id, slug: one.slug }),
      ]);
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: "rejected", reason: { code: "CONFLICT" } });
      }
      expect(await buckets.get({ id: one.id })).toEqual(one);
    }
  });

  it("leaves one complete list after several concurrent updates", async () => {
    const { id } = await make();
    const lists = Array.from({ length: 6 }, (_, at) => [item(`l${at}`), a, item(`m${at}`), b]);
    await Promise.all(lists.map((list) => buckets.update({ id, links: list })));
    const { links: last } = await buckets.get({ id });
    expect(lists).toContainEqual(last);
    const slugs = (await rowsOf(core, id)).map(({ slug }) => slug);
    expect([slugs.length, new Set(slugs).size]).toEqual([5, 5]);
  });

  it("loses no click that is counted at the same time", async () => {
    const { id } = await make();
    const [, first] = await rowsOf(core, id);
    const clicks = Array.from({ length: 40 }, () => core.clicks.record(clickOn(first?.id ?? "")));
    const updates = Array.from({ length: 8 }, (_, at) =>
      buckets.update({ id, slug: `moving-${at}-${randomUUID()}`, links: at % 2 ? [a, b] : [c, b, a] }),
    );
    await Promise.all([...clicks, ...updates]);
    expect((await buckets.stats({ id })).links.find(({ title }) => title === "a")?.clicks).toBe(40);
  });
});

describe("deleting a bucket", () => {
  it("frees its slug and leaves no row", async () => {
    const { id, slug } = await make();
    expect(await buckets.delete({ id })).toEqual({ id, deleted: true });
    expect(await rowsOf(core, id)).toEqual([]);
    const missing = { code: "NOT_FOUND", message: "Bucket not found" };
    expect(await rejection(buckets.get({ id }))).toEqual(missing);
    expect(await rejection(buckets.delete({ id }))).toEqual(missing);
    expect(await rejection(buckets.update({ id, name: "x" }))).toEqual(missing);
    expect(await rejection(buckets.stats({ id }))).toEqual(missing);
    expect((await links.create({ url, slug })).click_count).toBe(0);
  });

  it("is possible on every plan: an account that left Pro can take a page down", async () => {
    const leaving = await actor("pro");
    const { id } = await core.caller(leaving).buckets.create({ name: "n", links: [a] });
    const left = { ...leaving, account: await core.accounts.setPlan(leaving.account.email, "free") };
    expect((await rejection(core.caller(left).buckets.update({ id, name: "m" }))).code).toBe("FORBIDDEN");
    expect(await core.caller(left).buckets.delete({ id })).toEqual({ id, deleted: true });
  });

  it("like changing and reading it, is limited to its account", async () => {
    const { id } = await make();
    const other = core.caller(await actor("enterprise")).buckets;
    const calls = [
      () => other.get({ id }),
      () => other.update({ id, name: "x" }),
      () => other.delete({ id }),
      () => other.stats({ id }),
    ];
    for (const call of calls) expect((await rejection(call())).code).toBe("NOT_FOUND");
    expect((await rejection(other.update({ id, links: [item("x", "http://short.test/")] }))).code).toBe(
      "NOT_FOUND",
    );
    expect((await buckets.get({ id })).name).toBe("Before");
    for (const nothing of [unknownId, "nonsense", ""]) {
      expect((await rejection(buckets.delete({ id: nothing }))).code).toBe("NOT_FOUND");
    }
  });

  it("happens with its account, including its items", async () => {
    const gone = await actor("pro");
    const { id, slug } = await core.caller(gone).buckets.create({ name: "n", links: [a, b] });
    await depsOf(core).pool.query("delete from users where id = $1", [gone.account.id]);
    expect(await rowsOf(core, id)).toEqual([]);
    expect((await links.create({ url, slug })).slug).toBe(slug);
  });
});
