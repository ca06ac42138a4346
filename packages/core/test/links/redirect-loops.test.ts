import { afterAll, describe, expect, it } from "vitest";
import type { CoreOptions } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, anonymous, rejection, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const pro = await actor("pro");
const other = await actor("pro");
await addDomain(core, pro.account.id, "mine.example");
await addDomain(core, other.account.id, "theirs.example");
await addDomain(core, other.account.id, "xn--bcher-kva.example");
await addDomain(core, other.account.id, "pending.example", "pending");
const { links } = core.caller(pro);

const loop = (field: string) => ({
  code: "BAD_REQUEST",
  message: `${field}: must not point back at a short-link host (that would be a loop)`,
});
const two = (second: string) => ({
  variants: [
    { url, weight: 1 },
    { url: second, weight: 1 },
  ],
});

describe("the service's own short-link host", () => {
  it.each([
    ["as it is", "http://short.test/abc"],
    ["without a path", "http://short.test"],
    ["with https", "https://short.test/abc"],
    ["in capitals", "http://SHORT.Test/abc"],
    ["with a trailing dot", "http://short.test./abc"],
    ["with the default port", "http://short.test:80/abc"],
    ["with the other scheme's default port", "https://short.test:443/abc"],
    ["with another port", "http://short.test:8080/abc"],
    ["in fullwidth letters", "http://ｓｈｏｒｔ.test/abc"],
    ["with an ideographic full stop", "http://short。test/abc"],
    ["percent-encoded", "http://%73hort.test/abc"],
    ["with a soft hyphen", "http://sho\u00ADrt.test/abc"],
    ["behind three slashes", "http:///short.test/abc"],
    ["before a backslash", "http://short.test\\@example.com/"],
    ["behind an empty user name", "http://@short.test/abc"],
    ["with a query only", "http://short.test?x"],
    ["with spaces around", "  http://short.test/abc  "],
  ])("is refused %s", async (_, destination) => {
    expect(await rejection(links.create({ url: destination }))).toEqual(loop("url"));
  });

  it.each([
    ["a subdomain", "http://www.short.test/"],
    ["a name that ends alike", "http://notshort.test/"],
    ["a name that begins alike", "http://short.test.example/"],
    ["a path with the name", "http://example.com/short.test"],
  ])("is not mistaken for %s", async (_, destination) => {
    expect((await links.create({ url: destination })).destination).toBe(destination);
  });
});

describe("verified custom domains", () => {
  it.each([
    ["the account's own", "https://mine.example/a"],
    ["another account's", "https://theirs.example/a"],
    ["in capitals", "https://Theirs.EXAMPLE/a"],
    ["with a trailing dot", "https://theirs.example./a"],
    ["with a port", "https://theirs.example:8443/a"],
    ["international", "https://Bücher.example/a"],
  ])("are refused: %s", async (_, destination) => {
    expect(await rejection(links.create({ url: destination }))).toEqual(loop("url"));
  });

  it("are ordinary hosts for all other accounts until they are verified", async () => {
    for (const caller of [pro, anonymous]) {
      const { destination } = await core.caller(caller).links.create({ url: "https://pending.example/" });
      expect(destination).toBe("https://pending.example/");
    }
  });
});

describe("an account's own domains, which may be verified again together with their links", () => {
  it.each(["pending", "failed", "deleted"] as const)("are refused while they are %s", async (status) => {
    const owner = await actor("pro");
    const { buckets, domains, links: own } = core.caller(owner);
    const domain = `${status}-own.example`;
    await addDomain(core, owner.account.id, domain, status === "deleted" ? "verified" : status);
    if (status === "deleted") await own.create({ url, domain });
    for (const { id } of status === "deleted" ? await domains.list() : []) await domains.delete({ id });
    const bad = { title: "Loop", url: `https://${domain}/x` };
    const link = await own.create({ url });
    const bucket = await buckets.create({ name: "Page", links: [{ title: "Good", url }] });

    expect(await rejection(own.create({ url: bad.url }))).toEqual(loop("url"));
    expect(await rejection(own.update({ id: link.id, ab_test: two(bad.url) }))).toEqual(
      loop("ab_test.variants.1.url"),
    );
    expect(await rejection(buckets.create({ name: "Loop", links: [bad] }))).toEqual(loop("links.0.url"));
    expect(await rejection(buckets.update({ id: bucket.id, name: "Loop", links: [bad] }))).toEqual(
      loop("links.0.url"),
    );
    const [imported] = await core.importer.importBatch(owner.account, [
      { fields: { url: bad.url }, occurrence: 0 },
    ]);
    expect(imported).toEqual({ status: "rejected", reason: loop("url").message });
    expect([await own.get({ id: link.id }), await buckets.get({ id: bucket.id })]).toEqual([link, bucket]);
  });
});

describe("stored destinations", () => {
  it("can be sent back after their host has become a short-link host; new ones cannot", async () => {
    const owner = await actor("pro");
    const mine = core.caller(owner).links;
    const at = (name: string) => `https://${name}.later.example/`;
    const link = await mine.create({
      url: at("a"),
      geo_rules: [{ country: "DE", url: at("b") }],
      ab_test: { variants: [at("c"), at("d")].map((to) => ({ url: to, weight: 1 })) },
    });
    for (const name of ["a", "b", "c", "d", "e"])
      await addDomain(core, owner.account.id, `${name}.later.example`);
    const { geo_rules, ab_test } = link;
    expect(await mine.update({ id: link.id, url: link.destination, geo_rules, ab_test })).toMatchObject({
      destination: at("a"),
      geo_rules,
      ab_test,
    });
    expect(await rejection(mine.update({ id: link.id, url: at("e") }))).toEqual(loop("url"));
  });

  it("can be sent back within a bucket, too; new ones cannot", async () => {
    const owner = await actor("pro");
    const mine = core.caller(owner).buckets;
    const site = { title: "Site", url: "https://a.bucket.example/" };
    const bucket = await mine.create({ name: "Page", links: [site] });
    for (const name of ["a", "b"]) await addDomain(core, owner.account.id, `${name}.bucket.example`);
    const more = (to: string) => ({ id: bucket.id, links: [{ title: "More", url: to }, site] });
    expect(await mine.update(more("https://example.com/"))).toMatchObject(more("https://example.com/"));
    expect(await rejection(mine.update(more("https://b.bucket.example/")))).toEqual(loop("links.0.url"));
  });
});

describe("every operation", () => {
  it.each<[string, Parameters<typeof links.create>[0]]>([
    [
      "geo_rules.1.url",
      {
        url,
        geo_rules: [
          { country: "DE", url },
          { country: "FR", url: "https://mine.example" },
        ],
      },
    ],
    ["ab_test.variants.1.url", { url, ab_test: two("http://short.test/x") }],
    ["url", { url: "http://short.test/x", ab_test: two("http://short.test/x") }],
  ])("that creates links refuses loops: %s", async (field, input) => {
    expect(await rejection(links.create(input))).toEqual(loop(field));
  });

  it.each<[string, Omit<Parameters<typeof links.update>[0], "id">]>([
    ["url", { url: "http://short.test./x" }],
    ["url", { url: "https://theirs.example/x" }],
    ["geo_rules.0.url", { geo_rules: [{ country: "FR", url: "https://mine.example" }] }],
    ["ab_test.variants.1.url", { ab_test: two("https://theirs.example:8080/x") }],
  ])("that updates links refuses loops, and nothing changes: %s", async (field, change) => {
    const link = await links.create({ url });
    expect(await rejection(links.update({ id: link.id, title: "changed", ...change }))).toEqual(loop(field));
    expect(await links.get({ id: link.id })).toEqual(link);
  });
});

describe("a short-link host with a custom port", () => {
  const on = async (options: Partial<CoreOptions>, destination: string) => {
    const test = await createTestCore(options);
    try {
      return await test.core.caller({ kind: "anonymous" }).links.create({ url: destination });
    } finally {
      await test.close();
    }
  };

  it.each([
    "http://localhost:3001/a",
    "http://LOCALHOST:3001/a",
    "http://localhost.:3001/a",
    "https://localhost:3001/a",
  ])("is refused as %s", async (destination) => {
    expect(await rejection(on({ shortBase: "http://localhost:3001" }, destination))).toEqual(loop("url"));
  });

  it("may be linked to on other ports", async () => {
    const link = await on({ shortBase: "http://localhost:3001" }, "http://localhost:5173/a");
    expect(link.destination).toBe("http://localhost:5173/a");
    expect(link.domain).toBe("localhost:3001");
    expect(link.shortUrl).toBe(`http://localhost:3001/${link.slug}`);
  });

  it("is refused in both spellings of an international name", async () => {
    for (const destination of ["https://kürz.example/a", "https://xn--krz-hoa.example/a"]) {
      expect(await rejection(on({ shortBase: "https://kürz.example" }, destination))).toEqual(loop("url"));
    }
  });
});
