import { afterAll, describe, expect, it } from "vitest";
import type { Visitor } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, anonymous, depsOf, named, url } from "../helpers.ts";

const start = new Date("2026-03-01T12:00:00.000Z");
let now = start;
const { core, actor, close } = await createTestCore({ clock: () => now });
afterAll(close);
const pro = await actor("pro");
const { links } = core.caller(pro);
await addDomain(core, pro.account.id, "go.example");

const visitor: Visitor = { country: () => null, id: () => "visitor" };
const resolve = (slug: string, of: Partial<Visitor> = {}, host = "short.test") =>
  core.redirects.resolve(host, slug, { ...visitor, ...of });
const notFound = { kind: "not_found" };

describe("a plain link", () => {
  it("redirects to its destination", async () => {
    const { id, slug } = await links.create({ url: "https://example.com/a?b=ü" });
    expect(await resolve(slug)).toEqual({
      kind: "redirect",
      link_id: id,
      location: "https://example.com/a?b=%C3%BC",
      variant: null,
    });
  });

  it("redirects if it is anonymous, too", async () => {
    const { slug } = await core.caller(anonymous).links.create({ url });
    expect(await resolve(slug)).toMatchObject({ kind: "redirect", location: url });
  });

  it("does not ask for the visitor's country or id, which take time to determine", async () => {
    const { slug } = await links.create({ url });
    const asked = () => {
      throw new Error("asked");
    };
    expect(await resolve(slug, { country: asked, id: asked })).toMatchObject({ kind: "redirect" });
  });

  it("redirects to its new destination within a second of the change", async () => {
    const { id, slug } = await links.create({ url });
    await resolve(slug);
    await links.update({ id, url: "https://example.com/new" });
    expect(await resolve(slug)).toMatchObject({ location: "https://example.com/new" });
  });
});

describe("a slug", () => {
  it("is found in every normalisation form", async () => {
    await links.create({ url, slug: "café-한국" });
    for (const form of ["NFC", "NFD"] as const) {
      expect(await resolve("café-한국".normalize(form))).toMatchObject({ kind: "redirect" });
    }
  });

  it("is found in its exact case only", async () => {
    await links.create({ url, slug: "CaseMatters" });
    expect(await resolve("CaseMatters")).toMatchObject({ kind: "redirect" });
    for (const slug of ["casematters", "CASEMATTERS"]) expect(await resolve(slug)).toEqual(notFound);
  });

  it.each(
    named([
      "",
      "nothing",
      "a\0b",
      "\0",
      "\uD800",
      "%",
      "'",
      "a/b",
      "../",
      "x".repeat(1_000_000),
      "😀".repeat(200),
    ]),
  )("that does not exist is not found: %s", async (_, slug) => {
    expect(await resolve(slug)).toEqual(notFound);
  });
});

describe("a host", () => {
  it.each(["short.test", "SHORT.test", "short.test.", "short.test:80", "short.test:8080", "Short.Test.:443"])(
    "is the service's own as %s",
    async (host) => {
      const { slug } = await links.create({ url });
      expect(await resolve(slug, {}, host)).toMatchObject({ kind: "redirect" });
    },
  );

  it.each(["go.example", "GO.example", "go.example.", "go.example:443"])(
    "is a verified custom domain as %s",
    async (host) => {
      const { slug } = await links.create({ url: "https://example.com/custom", domain: "go.example" });
      expect(await resolve(slug, {}, host)).toMatchObject({ location: "https://example.com/custom" });
    },
  );

  it("has its own slugs: the same slug on two hosts is two links", async () => {
    await links.create({ url: "https://example.com/1", slug: "same" });
    expect(await resolve("same", {}, "go.example")).toEqual(notFound);
    await links.create({ url: "https://example.com/2", slug: "same", domain: "go.example" });
    expect(await resolve("same")).toMatchObject({ location: "https://example.com/1" });
    expect(await resolve("same", {}, "go.example")).toMatchObject({ location: "https://example.com/2" });
  });

  it.each(["pending", "failed"])("serves nothing while its domain is %s", async (status) => {
    const domain = `${status}.example`;
    await addDomain(core, pro.account.id, domain);
    const { slug } = await links.create({ url, domain });
    expect(await resolve(slug, {}, domain)).toMatchObject({ kind: "redirect" });
    await depsOf(core).pool.query("update domains set status = $2 where domain = $1", [domain, status]);
    // This core does not receive changes, so it trusts its cache for a second.
    await expect.poll(() => resolve(slug, {}, domain), { timeout: 5000 }).toEqual(notFound);
    expect(await resolve(slug)).toEqual(notFound);
  });

  it.each(
    named([
      "",
      ".",
      ":80",
      "other.test",
      "www.short.test",
      "short.test.evil.example",
      "short.test@evil.example",
      "short.test, go.example",
      "short.test/go",
      " short.test",
      "[::1]",
      "[::1]:3001",
      "a\0b",
      "short.test\0",
      "\uD800",
      "'",
      "x".repeat(100_000),
    ]),
  )("that is unknown serves nothing: %s", async (_, host) => {
    await depsOf(core).pool.query("delete from links where slug = 'known'");
    await links.create({ url, slug: "known" });
    expect(await resolve("known", {}, host)).toEqual(notFound);
  });
});

describe("an expired link", () => {
  it("is gone from its expiry on, to the millisecond", async () => {
    const { slug } = await links.create({ url, expires_at: "2026-04-01T00:00:00.000Z" });
    now = new Date("2026-03-31T23:59:59.999Z");
    expect(await resolve(slug)).toMatchObject({ kind: "redirect" });
    now = new Date("2026-04-01T00:00:00.000Z");
    expect(await resolve(slug)).toEqual({ kind: "gone", reason: "expired" });
    now = start;
  });

  it("is back if its expiry is moved or cleared", async () => {
    const { id, slug } = await links.create({ url, expires_at: "2026-01-01T00:00:00Z" });
    expect(await resolve(slug)).toEqual({ kind: "gone", reason: "expired" });
    await links.update({ id, expires_at: "2027-01-01T00:00:00Z" });
    expect(await resolve(slug)).toMatchObject({ kind: "redirect" });
    await links.update({ id, expires_at: "2026-01-01T00:00:00Z" });
    await links.update({ id, expires_at: null });
    expect(await resolve(slug)).toMatchObject({ kind: "redirect" });
  });
});

describe("a link with a password", () => {
  it("reveals nothing before the right password is entered", async () => {
    const { id, slug } = await links.create({
      url: "https://example.com/secret",
      password: "Schlüssel",
      geo_rules: [{ country: "DE", url: "https://example.com/secret/de" }],
    });
    const german = { country: () => "DE" };
    expect(await resolve(slug, german)).toEqual({ kind: "password", link_id: id, wrong: false });
    for (const password of ["", "schlüssel", "Schlüssel ", "x".repeat(1_000_000), "\0", "\uD800"]) {
      expect(await resolve(slug, { ...german, password })).toEqual({
        kind: "password",
        link_id: id,
        wrong: true,
      });
    }
    for (const form of ["NFC", "NFD"] as const) {
      const password = "Schlüssel".normalize(form);
      expect(await resolve(slug, { ...german, password })).toMatchObject({
        location: "https://example.com/secret/de",
      });
      expect(await resolve(slug, { password })).toMatchObject({ location: "https://example.com/secret" });
    }
  });
});

describe("the order of rules", () => {
  it("is active, expiry, password, geo rule, A/B variant, destination", async () => {
    const variants = [
      { url: "https://example.com/a", weight: 1 },
      { url: "https://example.com/b", weight: 1 },
    ];
    const { id, slug } = await links.create({
      url: "https://example.com/destination",
      password: "secret",
      expires_at: "2026-01-01T00:00:00Z",
      geo_rules: [{ country: "FR", url: "https://example.com/fr" }],
      ab_test: { variants },
    });
    await links.update({ id, is_active: 0 });
    const all = { country: () => "FR", password: "secret" };

    expect(await resolve(slug, all)).toEqual({ kind: "gone", reason: "inactive" });
    await links.update({ id, is_active: 1 });
    for (const password of [undefined, "wrong", "secret"])
      expect(await resolve(slug, { ...all, password })).toEqual({ kind: "gone", reason: "expired" });
    await links.update({ id, expires_at: "2027-01-01T00:00:00Z" });
    expect(await resolve(slug, { ...all, password: undefined })).toMatchObject({
      kind: "password",
      wrong: false,
    });
    expect(await resolve(slug, all)).toMatchObject({ location: "https://example.com/fr", variant: null });
    const elsewhere = await resolve(slug, { ...all, country: () => "US" });
    expect(elsewhere).toMatchObject({ kind: "redirect", variant: expect.toBeOneOf([0, 1]) });
    expect(variants.map((variant) => variant.url)).toContain("location" in elsewhere && elsewhere.location);
    await links.update({ id, ab_test: null });
    expect(await resolve(slug, { ...all, country: () => "US" })).toMatchObject({
      location: "https://example.com/destination",
      variant: null,
    });
  });
});

describe("an A/B test", () => {
  it("gives a visitor the same variant every time, and uses every variant", async () => {
    const ab_test = { variants: [1, 2, 3, 4].map((at) => ({ url: `https://example.com/${at}`, weight: 1 })) };
    const { slug } = await links.create({ url, ab_test });
    const seen = new Set<string>();
    for (let at = 0; at < 100; at++) {
      const first = await resolve(slug, { id: () => `v${at}` });
      expect(await resolve(slug, { id: () => `v${at}` })).toEqual(first);
      if (first.kind !== "redirect") throw new Error(first.kind);
      expect(first.location).toBe(ab_test.variants[first.variant ?? -1]?.url);
      seen.add(first.location);
    }
    expect(seen.size).toBe(4);
  });
});
