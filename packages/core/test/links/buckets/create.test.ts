import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { addDomain, depsOf, rejection, url } from "../../helpers.ts";
import { item, items, rowsOf } from "./helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const owner = await actor("pro");
const { buckets, links } = core.caller(owner);

describe("a new bucket", () => {
  it("has every field, and its links in order", async () => {
    const bucket = await buckets.create({
      name: " Ada Lovelace ",
      slug: "ada",
      links: [item("b"), item("a")],
    });
    expect(bucket).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Ada Lovelace",
      slug: "ada",
      shortUrl: "http://short.test/ada",
      short_url: "http://short.test/ada",
      links: [item("b"), item("a")],
      description: null,
      accent_color: null,
      avatar_url: null,
      views: 0,
      clicks: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      created_by: null,
      updated_at: bucket.created_at,
      disabled_at: null,
      disabled_reason: null,
    });
    expect(await buckets.get({ id: bucket.id })).toEqual(bucket);
    expect((await buckets.list()).data[0]).toEqual(bucket);
  });

  it("gets a generated slug if none is given", async () => {
    const { slug } = await buckets.create({ name: "n", links: items(1) });
    expect(slug).toMatch(/^[2-9a-zA-Z]{7}$/);
  });

  it("may have ten links, including equal ones", async () => {
    const { links: made } = await buckets.create({
      name: "n",
      links: Array.from({ length: 10 }, () => item("same")),
    });
    expect(made).toHaveLength(10);
  });

  it("stores destinations as the URL parser serialises them", async () => {
    const bucket = await buckets.create({ name: "n", links: [item("x", " https://MÜLLER.example ")] });
    expect(bucket.links[0]?.url).toBe("https://xn--mller-kva.example/");
  });

  it("keeps titles and names unchanged: emoji, other scripts, markup", async () => {
    const name = "👩‍🚀 מִיכָל & <b>";
    const title = "Épicerie ‏ערב";
    const bucket = await buckets.create({ name, links: [{ title, url }] });
    expect([bucket.name, bucket.links[0]?.title]).toEqual([name, title]);
  });
});

describe("a bucket is refused", () => {
  const good = { name: "n", links: items(2) };
  it.each<[string, Record<string, unknown>, string]>([
    ["without a name", { links: items(1) }, "name: is required (expected string)"],
    ["with an empty name", { ...good, name: " " }, "name: must not be empty"],
    [
      "with an invisible name",
      { ...good, name: "\u200B\u3164\u2800" },
      "name: must have a visible character",
    ],
    ["with a name too long", { ...good, name: "x".repeat(101) }, "name: must have at most 100 characters"],
    ["with a line break in its name", { ...good, name: "a\nb" }, "name: must not contain control characters"],
    ["without links", { name: "n" }, "links: is required (expected array)"],
    ["with no link", { name: "n", links: [] }, "links: must have at least one link"],
    ["with eleven links", { name: "n", links: items(11) }, "links: must have at most 10 links"],
    [
      "with a link without a title",
      { name: "n", links: [{ url }] },
      "links.0.title: is required (expected string)",
    ],
    [
      "with a link without a URL",
      { name: "n", links: [{ title: "t" }] },
      "links.0.url: is required (expected string)",
    ],
    [
      "with a null title",
      { name: "n", links: [{ title: null, url }] },
      "links.0.title: expected string, received null",
    ],
    [
      "with an empty title",
      { name: "n", links: [item("a"), { title: "", url }] },
      "links.1.title: must not be empty",
    ],
    [
      "with a title too long",
      { name: "n", links: [{ title: "x".repeat(101), url }] },
      "links.0.title: must have at most 100 characters",
    ],
    [
      "with another scheme",
      { name: "n", links: [item("a"), item("b"), item("c", "javascript:alert(1)")] },
      "links.2.url: must be an absolute http:// or https:// URL",
    ],
    [
      "with a password in a URL",
      { name: "n", links: [item("a", "https://a:b@example.com/")] },
      "links.0.url: must not contain a user name or password",
    ],
    [
      "with a link to the short-link host",
      { name: "n", links: [item("a"), item("b", "http://short.test/ada")] },
      "links.1.url: must not point back at a short-link host (that would be a loop)",
    ],
    ["with a reserved slug", { ...good, slug: "robots.txt" }, "slug: is reserved; choose another one"],
    [
      "with an empty slug",
      { ...good, slug: "" },
      "slug: must not be empty; leave it out to have one generated",
    ],
    [
      "with a slash in its slug",
      { ...good, slug: "a/1" },
      'slug: may have letters, digits, emoji, "-" and "_" only, not "/"',
    ],
  ])("%s", async (_, input, message) => {
    expect(await rejection(buckets.create(input as never))).toEqual({ code: "BAD_REQUEST", message });
  });

  it("with a link to any verified domain, and leaves no row", async () => {
    const domain = `${randomUUID()}.example`;
    await addDomain(core, (await actor("pro")).account.id, domain);
    const before = (await buckets.list()).meta.total;
    const slug = `loop-${randomUUID()}`;
    const input = { name: "n", slug, links: [item("a"), item("b", `https://${domain}/x`)] };
    expect(await rejection(buckets.create(input))).toEqual({
      code: "BAD_REQUEST",
      message: "links.1.url: must not point back at a short-link host (that would be a loop)",
    });
    expect((await buckets.list()).meta.total).toBe(before);
    expect((await buckets.create({ ...input, links: items(1) })).slug).toBe(slug);
  });

  it("if the account's plan has no buckets, before the input is checked", async () => {
    const free = core.caller(await actor("free"));
    expect(await rejection(free.buckets.create({ nonsense: 1 } as never))).toEqual({
      code: "FORBIDDEN",
      message: "Pro plan required",
    });
  });

  it("beyond the account's creations per minute, of which each bucket takes one", async () => {
    const limited = await createTestCore({ rateLimits: { pro: 2 } });
    onTestFinished(limited.close);
    const caller = limited.core.caller(await limited.actor("pro"));
    await caller.buckets.create({ name: "n", links: items(10) });
    await rejection(caller.buckets.create({ name: "n", links: items(11) }));
    await caller.links.create({ url });
    expect((await rejection(caller.buckets.create({ name: "n", links: items(1) }))).code).toBe(
      "TOO_MANY_REQUESTS",
    );
  });
});

describe("one namespace", () => {
  const taken = (slug: string) => ({
    code: "CONFLICT",
    message: `slug: "${slug}" is already taken on this domain; choose another one`,
  });

  it("a link's slug is taken for buckets, and a bucket's for links and buckets", async () => {
    const link = await links.create({ url, slug: `l-${randomUUID()}` });
    expect(await rejection(buckets.create({ name: "n", slug: link.slug, links: items(1) }))).toEqual(
      taken(link.slug),
    );
    const { slug } = await buckets.create({ name: "n", slug: `b-${randomUUID()}`, links: items(1) });
    expect(await rejection(links.create({ url, slug }))).toEqual(taken(slug));
    expect(await rejection(links.update({ id: link.id, slug }))).toEqual(taken(slug));
    expect(await rejection(buckets.create({ name: "n", slug, links: items(1) }))).toEqual(taken(slug));
  });

  it("a refused bucket leaves no row", async () => {
    const { slug } = await links.create({ url });
    const count = async () =>
      (await depsOf(core).pool.query("select count(*) from buckets, links where bucket_id is not null")).rows;
    const before = await count();
    await rejection(buckets.create({ name: "n", slug, links: items(3) }));
    expect(await count()).toEqual(before);
  });

  it("one of a bucket and a link that race for a slug gets it, fifty times in both orders", async () => {
    const winners = { bucket: 0, link: 0 };
    for (let round = 0; round < 50; round++) {
      const slug = `race-${round}-${randomUUID()}`;
      const bucket = () => buckets.create({ name: "n", slug, links: items(3) });
      const link = () => links.create({ url, slug });
      const calls = round % 2 === 0 ? [bucket(), link()] : [link(), bucket()];
      const outcomes = await Promise.allSettled(calls);
      const lost = outcomes.filter((outcome) => outcome.status === "rejected");
      expect(lost).toEqual([expect.objectContaining({ reason: expect.objectContaining(taken(slug)) })]);
      const isBucket = (outcomes[0]?.status === "fulfilled") === (round % 2 === 0);
      winners[isBucket ? "bucket" : "link"] += 1;
      const { rows } = await depsOf(core).pool.query(
        "select count(*)::int as n from links where slug like $1",
        [`${slug}%`],
      );
      expect(rows[0]).toEqual({ n: isBucket ? 4 : 1 });
    }
    expect(winners.bucket + winners.link).toBe(50);
  });

  it("the loser of a bucket and a link that generate the same slug generates another, fifty times in both orders", async () => {
    const twin = await createTestCore({ randomBytes: pairs() });
    onTestFinished(twin.close);
    const caller = twin.core.caller(await twin.actor("pro"));
    const slugs: string[] = [];
    for (let round = 0; round < 50; round++) {
      const bucket = () => caller.buckets.create({ name: "n", links: items(1) });
      const link = () => caller.links.create({ url });
      const made = await Promise.all(round % 2 === 0 ? [bucket(), link()] : [link(), bucket()]);
      slugs.push(...made.map(({ slug }) => slug));
    }
    expect(new Set(slugs).size).toBe(100);
  });
});

/** Bytes that make every generated slug come twice in a row. */
function pairs(): (size: number) => Uint8Array {
  let draws = 0;
  return (size) => {
    const number = Math.floor(draws++ / 2);
    return Uint8Array.from({ length: size }, (_, at) => (at < 4 ? Math.floor(number / 50 ** at) % 50 : at));
  };
}

describe("the list of buckets", () => {
  it("has the account's buckets only, newest first, in pages that neither overlap nor leave gaps", async () => {
    const caller = core.caller(await actor("pro"));
    const made: string[] = [];
    for (let n = 0; n < 5; n++)
      made.unshift((await caller.buckets.create({ name: `${n}`, links: items(n + 1) })).id);
    const all = await caller.buckets.list();
    expect(all.data.map(({ id }) => id)).toEqual(made);
    expect(all.meta).toEqual({ page: 1, limit: 100, total: 5, total_pages: 1 });
    const pages = await Promise.all([1, 2, 3].map((page) => caller.buckets.list({ page, limit: 2 })));
    expect(pages.flatMap(({ data }) => data)).toEqual(all.data);
    expect((await caller.buckets.list({ page: 4, limit: 2 })).data).toEqual([]);
    expect((await core.caller(await actor("pro")).buckets.list()).data).toEqual([]);
  });

  it.each([{ limit: 0 }, { limit: 101 }, { page: 0 }, { page: 1.5 }])("refuses %j", async (input) => {
    expect((await rejection(buckets.list(input))).code).toBe("BAD_REQUEST");
  });
});

it("a bucket's rows are its page and its items, whose paths cannot be requested as slugs", async () => {
  const { id, slug } = await buckets.create({ name: "n", links: items(2) });
  expect(await rowsOf(core, id)).toMatchObject([
    { id, slug, position: null, account_id: null },
    { slug: `${slug}/1`, title: "item-1", position: 1, account_id: null },
    { slug: `${slug}/2`, title: "item-2", position: 2, account_id: null },
  ]);
});
