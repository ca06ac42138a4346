import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Link } from "../../src/index.ts";
import { optionInputs } from "../../src/redirects/rules/rules.ts";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, anonymous, clickOn, depsOf, named, rejection, unknownId, url } from "../helpers.ts";

let now = new Date();
const folder = await mkdtemp(join(tmpdir(), "terse-update-"));
const blocklist = join(folder, "phishing.txt");
await writeFile(blocklist, "listed.example");
const { core, actor, close } = await createTestCore({ clock: () => now, blocklistFiles: [blocklist] });
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});
const free = await actor("free");
const pro = await actor("pro");
await addDomain(core, pro.account.id, "mine.example");
const { links } = core.caller(pro);
type Change = Omit<Parameters<typeof links.update>[0], "id">;

const created = "2026-05-01T08:00:00.000Z";
const updated = "2026-05-02T09:30:00.001Z";
const ab_test = {
  variants: [
    { url: "https://example.com/1", weight: 1 },
    { url: "https://example.com/2", weight: 2 },
  ],
};
const geo_rules = [{ country: "DE", url: "https://example.com/de" }];
let full: Link;

const withPassword = await links.create({ url, password: "secret" });
/** Gives a link the password "secret" by copying its hash, which takes 170 ms to compute. */
const setPassword = (id: string) =>
  depsOf(core).pool.query(
    "update links set password_hash = (select password_hash from links where id = $1) where id = $2",
    [withPassword.id, id],
  );

beforeEach(async () => {
  now = new Date(created);
  const { id } = await links.create({
    url,
    title: "Title",
    expires_at: "2030-01-01T00:00:00Z",
    geo_rules,
    ab_test,
  });
  await setPassword(id);
  full = await links.get({ id });
  now = new Date(updated);
});

/** Follows a link, with a password or without. */
const follow = (slug: string, password?: string) =>
  core.redirects.resolve("short.test", slug, { country: () => null, id: () => "v", password });

describe("an update", () => {
  it.each<[keyof Change, Change, Partial<Link>]>([
    ["url", { url: "https://EXAMPLE.com/new" }, { destination: "https://example.com/new" }],
    ["title", { title: " New " }, { title: "New" }],
    ["is_active", { is_active: 0 }, { is_active: 0 }],
    ["is_active", { is_active: false }, { is_active: 0 }],
    ["expires_at", { expires_at: "2031-01-01T00:00:00+02:00" }, { expires_at: "2030-12-31T22:00:00.000Z" }],
    ["geo_rules", { geo_rules: [{ country: "fr", url }] }, { geo_rules: [{ country: "FR", url }] }],
    [
      "ab_test",
      { ab_test: { variants: ab_test.variants.toReversed() } },
      { ab_test: { variants: ab_test.variants.toReversed() } },
    ],
  ])("changes %s and nothing else", async (_, change, expected) => {
    const link = await links.update({ id: full.id, ...change });
    expect(link).toEqual({ ...full, ...expected, updated_at: updated });
    expect(await links.get({ id: full.id })).toEqual(link);
  });

  it("accepts a link as it was read", async () => {
    expect(await links.update(full as never)).toEqual({ ...full, updated_at: updated });
    expect(await follow(full.slug, "secret")).toMatchObject({ kind: "redirect" });
  });

  it("ignores read-only fields, and uses destination if url is missing", async () => {
    const changed = { ...full, click_count: 99, domain: "other.test", has_password: false, shortUrl: "x" };
    expect(await links.update(changed as never)).toEqual({ ...full, updated_at: updated });
    const [to, instead] = ["https://example.com/to", "https://example.com/instead"];
    expect(await links.update({ id: full.id, destination: to } as never)).toMatchObject({ destination: to });
    const both = { ...full, destination: to, url: instead };
    expect(await links.update(both as never)).toMatchObject({ destination: instead });
  });

  it.each([
    null,
    7,
    "ftp://x",
    "http://short.test/loop",
    "https://mine.example/loop",
    "https://listed.example/",
  ])("names the field that was sent if it is wrong: %j", async (wrong) => {
    const refusal = async (change: object) => {
      const { code, message } = await rejection(links.update({ id: full.id, ...change }));
      return [code, message];
    };
    const [code, asUrl] = await refusal({ url: wrong });
    expect([code, asUrl]).toEqual(["BAD_REQUEST", expect.stringMatching(/^url: /)]);
    expect(await refusal({ destination: wrong })).toEqual([code, asUrl?.replace("url", "destination")]);
    expect(await refusal({ destination: "https://example.com/", url: wrong })).toEqual([code, asUrl]);
  });

  it.each([
    ["expires", { expires: "2030-01-01T00:00:00Z" }],
    ["Title", { title: "x", Title: "y" }],
    ["__proto__", JSON.parse('{"__proto__": {"title": "x"}}')],
    ["constructor", { constructor: "x" }],
    ["One of the fields", { "a\nb": 1 }],
    ["One of the fields", { ["x".repeat(1000)]: 1 }],
  ])("refuses an unknown field: %s", async (name, change) => {
    const own = "id, url, slug, title, is_active, notes, qr, tags, created_by";
    const fields = [own, ...Object.keys(optionInputs)].join(", ");
    expect(
      await rejection(links.update(Object.assign(Object.create(null), change, { id: full.id }))),
    ).toEqual({
      code: "BAD_REQUEST",
      message: `${name}: no such field; the known ones are ${fields}`,
    });
    expect(await links.get({ id: full.id })).toEqual(full);
  });

  it("changes the slug and the short URL; the old slug is free at once", async () => {
    const slug = `neu-ü-${full.slug}`;
    const link = await links.update({ id: full.id, slug });
    const shortUrl = `http://short.test/${encodeURIComponent(slug)}`;
    expect(link).toEqual({ ...full, slug, shortUrl, short_url: shortUrl, updated_at: updated });
    expect((await follow(full.slug)).kind).toBe("not_found");
    expect((await core.caller(free).links.create({ url, slug: full.slug })).slug).toBe(full.slug);
  });

  it("changes the password", async () => {
    await links.update({ id: full.id, password: "better", ab_test: null });
    expect(await follow(full.slug, "secret")).toMatchObject({ kind: "password", wrong: true });
    expect(await follow(full.slug, "better")).toMatchObject({ kind: "redirect" });
  });

  it.each<[keyof Change, Partial<Link>]>([
    ["title", { title: null }],
    ["password", { has_password: false }],
    ["expires_at", { expires_at: null }],
    ["geo_rules", { geo_rules: [] }],
    ["ab_test", { ab_test: null }],
  ])("clears %s if it is null", async (field, expected) => {
    const link = await links.update({ id: full.id, [field]: null });
    expect(link).toEqual({ ...full, ...expected, updated_at: updated });
    expect(await links.get({ id: full.id })).toEqual(link);
  });

  it("changes everything at once", async () => {
    const link = await links.update({
      id: full.id,
      url: "https://example.com/all",
      slug: `all-${full.slug}`,
      title: null,
      is_active: 0,
      password: null,
      expires_at: null,
      geo_rules: [],
      ab_test: null,
    });
    expect(link).toMatchObject({
      id: full.id,
      destination: "https://example.com/all",
      slug: `all-${full.slug}`,
      title: null,
      is_active: 0,
      has_password: false,
      expires_at: null,
      geo_rules: [],
      ab_test: null,
      created_at: created,
      updated_at: updated,
    });
  });

  it("without changes does not touch the link, not even updated_at", async () => {
    expect(await links.update({ id: full.id })).toEqual(full);
  });

  it("to the link's own slug is no conflict", async () => {
    expect((await links.update({ id: full.id, slug: full.slug })).slug).toBe(full.slug);
  });

  it("with the answer of get changes updated_at only, on every plan", async () => {
    const { id } = await core.caller(free).links.create({ url, title: "Mine" });
    const link = await core.caller(free).links.get({ id });
    now = new Date("2026-06-01T00:00:00Z");
    expect(await core.caller(free).links.update({ ...link, url: link.destination })).toEqual({
      ...link,
      updated_at: "2026-06-01T00:00:00.000Z",
    });
  });

  it("with the answer of get needs no plan for unchanged options", async () => {
    const account = await core.accounts.setPlan(pro.account.email, "free");
    const mine = core.caller({ ...pro, account }).links;
    expect(await mine.update({ ...full, title: "Later" })).toEqual({
      ...full,
      title: "Later",
      updated_at: updated,
    });
    for (const change of [
      { password: "secret" },
      { expires_at: "2030-01-01T00:00:00.001Z" },
      { geo_rules: [...geo_rules, { country: "FR", url }] },
      { ab_test: { variants: ab_test.variants.toReversed() } },
    ]) {
      expect((await rejection(mine.update({ ...full, ...change }))).message).toBe("Pro plan required");
    }
  });

  it("keeps the click count", async () => {
    await core.clicks.record(clickOn(full.id));
    expect(
      (await links.update({ id: full.id, url: "https://example.com/2", slug: `c-${full.slug}` })).click_count,
    ).toBe(1);
  });
});

describe("an update is refused and changes nothing", () => {
  const good = { url: "https://example.com/other", title: "Other", is_active: 0 } as const;

  it("if the slug is taken, by any account", async () => {
    const taken = [
      await links.create({ url, slug: `mine-${full.slug}` }),
      await core.caller(free).links.create({ url, slug: `theirs-${full.slug}` }),
      await core.caller(anonymous).links.create({ url, slug: `nobodys-${full.slug}` }),
    ];
    for (const { slug } of taken) {
      expect(await rejection(links.update({ id: full.id, ...good, slug }))).toEqual({
        code: "CONFLICT",
        message: `slug: "${slug}" is already taken on this domain; choose another one`,
      });
      expect(await links.get({ id: full.id })).toEqual(full);
    }
    expect(await links.get({ id: taken[0]?.id ?? "" })).toEqual(taken[0]);
  });

  it.each<[string, unknown, string]>([
    ["url", { url: "javascript:alert(1)" }, "url: must be an absolute http:// or https:// URL"],
    ["no url", { url: null }, "url: expected string, received null"],
    ["slug", { slug: "a b" }, 'slug: may have letters, digits, emoji, "-" and "_" only, not a space'],
    ["no slug", { slug: null }, "slug: expected string, received null"],
    ["a reserved slug", { slug: "health" }, "slug: is reserved; choose another one"],
    ["title", { title: "a\0" }, "title: must not contain control characters"],
    ["is_active", { is_active: 2 }, "is_active: must be 0 or 1"],
    ["no is_active", { is_active: null }, "is_active: must be 0 or 1"],
    ["password", { password: "abc" }, "password: must have at least 4 characters"],
    [
      "expires_at",
      { expires_at: "tomorrow" },
      "expires_at: must be an ISO 8601 time with a zone, such as 2027-01-31T12:00:00Z",
    ],
    [
      "geo_rules",
      { geo_rules: [{ country: "QQ", url }] },
      "geo_rules.0.country: must be an ISO 3166-1 alpha-2 country code, such as DE",
    ],
    ["ab_test", { ab_test: { variants: [] } }, "ab_test.variants: must have 2 to 4 variants"],
  ])("if one field is invalid: %s", async (_, bad, message) => {
    expect(await rejection(links.update({ id: full.id, ...good, ...(bad as Change) }))).toEqual({
      code: "BAD_REQUEST",
      message,
    });
    expect(await links.get({ id: full.id })).toEqual(full);
  });

  it.each<[string, Change]>([
    ["password", { password: "secret" }],
    ["expires_at", { expires_at: "2030-01-01T00:00:00Z" }],
    ["geo_rules", { geo_rules }],
    ["ab_test", { ab_test }],
  ])("if the plan does not include %s, but clearing it is allowed", async (field, change) => {
    const mine = core.caller(free).links;
    const link = await mine.create({ url });
    expect(await rejection(mine.update({ id: link.id, ...good, ...change }))).toEqual({
      code: "FORBIDDEN",
      message: "Pro plan required",
    });
    expect(await mine.get({ id: link.id })).toEqual(link);
    expect((await mine.update({ id: link.id, [field]: null })).id).toBe(link.id);
  });

  it("if another of 20 concurrent updates gets the slug: one succeeds, 19 conflict", async () => {
    const slug = `race-${full.slug}`;
    const twenty = await Promise.all(Array.from({ length: 20 }, () => links.create({ url })));
    const outcomes = await Promise.all(
      twenty.map(({ id }) =>
        links.update({ id, slug, title: "Winner" }).then(
          () => "renamed",
          (error: { code: string }) => error.code,
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 19 }, () => "CONFLICT"), "renamed"]);
    const after = await Promise.all(twenty.map(({ id }) => links.get({ id })));
    expect(after.filter(({ title }) => title === "Winner").map((link) => link.slug)).toEqual([slug]);
  });
});

describe("an id that is not the account's", () => {
  it.each(
    named([
      unknownId,
      unknownId.toUpperCase(),
      "1",
      "",
      "a\0b",
      "\uD800",
      "'; drop table links",
      "x".repeat(100_000),
    ]),
  )("is not found: %s", async (_, id) => {
    expect(await rejection(links.update({ id, title: "x" }))).toEqual({
      code: "NOT_FOUND",
      message: "Link not found",
    });
  });

  it("cannot swap slugs with a concurrent update: neither slug was free", async () => {
    const pairs = await Promise.all(
      Array.from({ length: 10 }, () => Promise.all([links.create({ url }), links.create({ url })])),
    );
    const renames = pairs.flatMap(([one, other]) => [
      links.update({ id: one.id, slug: other.slug }),
      links.update({ id: other.id, slug: one.slug }),
    ]);
    const refusals = await Promise.all(renames.map(rejection));
    expect(refusals.map(({ code }) => code)).toEqual(renames.map(() => "CONFLICT"));
  });

  it("is 404 if the link belongs to another account, and nothing changes", async () => {
    const intruder = core.caller(await actor("enterprise")).links;
    expect(await rejection(intruder.update({ id: full.id, title: "Mine now", slug: "mine-now" }))).toEqual({
      code: "NOT_FOUND",
      message: "Link not found",
    });
    expect(await links.get({ id: full.id })).toEqual(full);
  });
});
