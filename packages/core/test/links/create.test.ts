import { afterAll, describe, expect, it } from "vitest";
import { countryInput } from "../../src/redirects/rules/geo.ts";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, anonymous, depsOf, rejection, url } from "../helpers.ts";

let now = new Date("2026-03-01T12:00:00.123Z");
let bytes: number[] = [];
const { core, actor, close } = await createTestCore({
  clock: () => now,
  // Bytes prepared by a test, else random ones
  randomBytes: (size) => {
    const first = bytes.shift();
    return first === undefined
      ? crypto.getRandomValues(new Uint8Array(size))
      : new Uint8Array(size).fill(first);
  },
});
afterAll(close);
const free = await actor("free");
const pro = await actor("pro");
const create = core.caller(pro).links.create;

describe("a new link", () => {
  it("is returned with every field in its wire format", async () => {
    const link = await core
      .caller(free)
      .links.create({ url: "https://Example.com/a b", title: "  Spring  " });
    expect(link).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: expect.stringMatching(/^[2-9a-zA-Z]{7}$/),
      shortUrl: `http://short.test/${link.slug}`,
      short_url: `http://short.test/${link.slug}`,
      destination: "https://example.com/a%20b",
      domain: "short.test",
      title: "Spring",
      click_count: 0,
      last_click_at: null,
      imported_clicks: 0,
      fallbacks: 0,
      is_active: 1,
      disabled_at: null,
      disabled_reason: null,
      health: null,
      created_at: "2026-03-01T12:00:00.123Z",
      created_by: null,
      updated_at: "2026-03-01T12:00:00.123Z",
      starts_at: null,
      expires_at: null,
      preview: null,
      click_limit: null,
      has_password: false,
      rules: [],
      tags: [],
      notes: null,
      qr: null,
      geo_rules: [],
      ab_test: null,
      redirect_status: 302,
      forward_path: false,
      forward_query: "none",
      fallback_url: null,
    });
    expect(await core.caller(free).links.get({ id: link.id })).toEqual(link);
  });

  it("is returned with the options of the Pro plan, but without the password", async () => {
    const link = await create({
      url,
      password: "swordfish",
      expires_at: "2027-01-31T13:00:00.5+01:00",
      geo_rules: [
        { country: "de", url: "https://example.com/de" },
        { country: "FR", url: "https://example.com/fr" },
      ],
      ab_test: {
        variants: [
          { url: "https://example.com/1", weight: 1 },
          { url: "https://EXAMPLE.com/2", weight: 3 },
        ],
      },
    });
    expect(link).toMatchObject({
      has_password: true,
      expires_at: "2027-01-31T12:00:00.500Z",
      geo_rules: [
        { country: "DE", url: "https://example.com/de" },
        { country: "FR", url: "https://example.com/fr" },
      ],
      ab_test: {
        variants: [
          { url: "https://example.com/1", weight: 1 },
          { url: "https://example.com/2", weight: 3 },
        ],
      },
    });
    expect(JSON.stringify(link)).not.toContain("swordfish");
    expect(await core.caller(pro).links.get({ id: link.id })).toEqual(link);
  });

  it("has its slug percent-encoded in the short URL only", async () => {
    const link = await create({ url, slug: "Größe-नमस्ते-👍🏽" });
    expect(link.slug).toBe("Größe-नमस्ते-👍🏽");
    expect(link.shortUrl).toBe(`http://short.test/${encodeURIComponent("Größe-नमस्ते-👍🏽")}`);
    expect(decodeURIComponent(new URL(link.shortUrl).pathname)).toBe("/Größe-नमस्ते-👍🏽");
  });

  it("stores the slug in NFC, so that both forms of an accent are the same slug", async () => {
    expect((await create({ url, slug: "cafe\u0301" })).slug).toBe("caf\u00E9");
    expect((await rejection(create({ url, slug: "caf\u00E9" }))).code).toBe("CONFLICT");
  });

  it("has a case-sensitive slug", async () => {
    const links = [await create({ url, slug: "Case" }), await create({ url, slug: "case" })];
    expect(links.map(({ slug }) => slug)).toEqual(["Case", "case"]);
  });

  it("may have a destination and a title of maximum length", async () => {
    const long = `https://example.com/${"a".repeat(7980)}`;
    const link = await create({ url: long, title: "t".repeat(255) });
    expect(link.destination).toBe(long);
    expect(link.title).toBe("t".repeat(255));
  });

  it("has no title if the title is empty, blank or null", async () => {
    for (const title of ["", "  ", null]) expect((await create({ url, title })).title).toBeNull();
  });
});

describe("a generated slug", () => {
  it("is generated again if it is taken", async () => {
    bytes = [0, 0, 1];
    const first = await create({ url });
    const second = await create({ url });
    expect([first.slug, second.slug]).toEqual(["2222222", "3333333"]);
  });

  it("fails without revealing internals if every attempt is taken", async () => {
    bytes = [7, 7, 7, 7, 7, 7];
    await create({ url });
    expect(await rejection(create({ url }))).toEqual({
      code: "INTERNAL_SERVER_ERROR",
      message: "Internal server error",
    });
    bytes = [];
  });
});

describe("a taken slug", () => {
  const message = (slug: string) => `slug: "${slug}" is already taken on this domain; choose another one`;

  it("is a conflict, whichever account has it", async () => {
    await core.caller(anonymous).links.create({ url, slug: "held" });
    for (const caller of [core.caller(anonymous), core.caller(free), core.caller(pro)]) {
      const refused = await rejection(caller.links.create({ url, slug: "held" }));
      expect(refused).toEqual({ code: "CONFLICT", message: message("held") });
    }
  });

  it("goes to one of 50 concurrent requests, and is a conflict for the other 49", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        core
          .caller([anonymous, free, pro][at % 3] ?? pro)
          .links.create({ url, slug: "race" })
          .then(
            () => "created",
            (error: { code: string }) => error.code,
          ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "created")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "CONFLICT")).toHaveLength(49);
  });

  it("is free on another domain", async () => {
    await addDomain(core, pro.account.id, "free.example");
    await create({ url, slug: "twice" });
    const link = await create({ url, slug: "twice", domain: "free.example" });
    expect(link.shortUrl).toBe("http://free.example/twice");
    expect((await rejection(create({ url, slug: "twice", domain: "free.example" }))).code).toBe("CONFLICT");
  });
});

describe("an anonymous link", () => {
  it("has no account and is in no account's list", async () => {
    const link = await core.caller(anonymous).links.create({ url, title: "Nobody's" });
    for (const someone of [free, pro]) {
      expect((await rejection(core.caller(someone).links.get({ id: link.id }))).code).toBe("NOT_FOUND");
      const list = await core.caller(someone).links.list({ search: "Nobody's" });
      expect(list.meta.total).toBe(0);
    }
    const { rows } = await depsOf(core).pool.query("select account_id from links where id = $1", [link.id]);
    expect(rows).toEqual([{ account_id: null }]);
  });
});

describe("an option of the Pro plan", () => {
  const paid = {
    password: "secret",
    expires_at: "2030-01-01T00:00:00Z",
    geo_rules: [{ country: "DE", url }],
    ab_test: {
      variants: [
        { url, weight: 1 },
        { url, weight: 1 },
      ],
    },
    preview: { title: "A title" },
    domain: "paid.example",
  };
  const fields = Object.keys(paid) as (keyof typeof paid)[];

  it.each(fields)(
    "is refused to anonymous callers and the Free plan, and nothing is created: %s",
    async (field) => {
      const slug = `paid-${field}`;
      for (const someone of [anonymous, free]) {
        expect(
          await rejection(core.caller(someone).links.create({ url, slug, [field]: paid[field] })),
        ).toEqual({
          code: "FORBIDDEN",
          message: expect.stringMatching(/^(domain: )?Pro plan required/),
        });
      }
      const { rowCount } = await depsOf(core).pool.query("select from links where slug = $1", [slug]);
      expect(rowCount).toBe(0);
    },
  );

  it.each(fields)("is available to Pro and Enterprise: %s", async (field) => {
    for (const plan of ["pro", "enterprise"] as const) {
      const someone = await actor(plan);
      await depsOf(core).pool.query(
        "delete from links where domain_id in (select id from domains where domain = $1)",
        [paid.domain],
      );
      await depsOf(core).pool.query("delete from domains where domain = $1", [paid.domain]);
      await addDomain(core, someone.account.id, paid.domain);
      const link = await core.caller(someone).links.create({ url, [field]: paid[field] });
      expect(link.is_active).toBe(1);
    }
  });

  it.each([free, anonymous])("is refused before it is parsed: %o", async (someone) => {
    for (const field of fields) {
      const input = { url: "nonsense", [field]: [{ url: "nonsense" }] } as never;
      expect(await rejection(core.caller(someone).links.create(input))).toMatchObject({ code: "FORBIDDEN" });
    }
  });

  it.each([free, anonymous])("may be sent empty on every plan: %o", async (someone) => {
    const link = await core
      .caller(someone)
      .links.create({ url, password: null, expires_at: null, geo_rules: [], ab_test: null, preview: null });
    expect(link).toMatchObject({ has_password: false, expires_at: null, geo_rules: [], ab_test: null });
  });
});

describe("the domain of a new link", () => {
  const message = (name: string) =>
    `domain: must be a verified custom domain of this account, which ${name} is not; verify it first, or choose another one`;

  it("is a verified domain of the account, in any spelling of its name", async () => {
    await addDomain(core, pro.account.id, "go.example");
    for (const domain of ["go.example", "GO.Example", "go.example.", " go.example "]) {
      const link = await create({ url, domain });
      expect(link.domain).toBe("go.example");
      expect(link.shortUrl).toBe(`http://go.example/${link.slug}`);
      expect(await core.caller(pro).links.get({ id: link.id })).toEqual(link);
    }
  });

  it("may be the service's own host", async () => {
    expect((await create({ url, domain: "short.test" })).domain).toBe("short.test");
  });

  it.each(["pending", "failed"] as const)("is refused while its status is %s", async (status) => {
    await addDomain(core, pro.account.id, `${status}.example`, status);
    expect(await rejection(create({ url, domain: `${status}.example` }))).toEqual({
      code: "BAD_REQUEST",
      message: message(`${status}.example`),
    });
  });

  it("is refused if it belongs to another account, with the same message as an unknown one", async () => {
    const other = await actor("pro");
    await addDomain(core, other.account.id, "other.example");
    expect(await rejection(create({ url, domain: "other.example" }))).toEqual({
      code: "BAD_REQUEST",
      message: message("other.example"),
    });
    expect(await rejection(create({ url, domain: "nobody.example" }))).toEqual({
      code: "BAD_REQUEST",
      message: message("nobody.example"),
    });
  });

  it.each(["", " ", "a\0b", "\uD800", "go.example/path", "http://go.example", "%", "'"])(
    "is refused if it is no host name: %j",
    async (domain) => {
      expect(await rejection(create({ url, domain }))).toEqual({
        code: "BAD_REQUEST",
        message: expect.stringMatching(/^domain: must /),
      });
    },
  );
});

describe("invalid input", () => {
  it.each<[string, unknown, string]>([
    ["no input", undefined, "A JSON object is required"],
    ["no url", {}, "url: is required (expected string)"],
    ["a number as url", { url: 1 }, "url: expected string, received number"],
    ["a relative url", { url: "/a" }, "url: must be an absolute http:// or https:// URL"],
    ["javascript:", { url: "javascript:alert(1)" }, "url: must be an absolute http:// or https:// URL"],
    [
      "a long url",
      { url: `https://example.com/${"a".repeat(8000)}` },
      "url: must have at most 8000 characters",
    ],
    ["an empty slug", { url, slug: "" }, "slug: must not be empty; leave it out to have one generated"],
    [
      "a slug with a slash",
      { url, slug: "a/b" },
      'slug: may have letters, digits, emoji, "-" and "_" only, not "/"',
    ],
    ["a reserved slug", { url, slug: "Robots.txt" }, "slug: is reserved; choose another one"],
    ["a long slug", { url, slug: "a".repeat(65) }, "slug: must have at most 64 characters"],
    ["a long title", { url, title: "a".repeat(256) }, "title: must have at most 255 characters"],
    ["NUL in the title", { url, title: "a\0b" }, "title: must not contain control characters"],
    ["a line break in the title", { url, title: "a\nb" }, "title: must not contain control characters"],
    [
      "a broken surrogate in the title",
      { url, title: "a\uD800" },
      "title: must not contain half a character (a lone surrogate)",
    ],
    ["a short password", { url, password: "abc" }, "password: must have at least 4 characters"],
    ["a long password", { url, password: "a".repeat(201) }, "password: must have at most 200 characters"],
    [
      "a time without a zone",
      { url, expires_at: "2027-01-31T12:00:00" },
      "expires_at: must be an ISO 8601 time with a zone, such as 2027-01-31T12:00:00Z",
    ],
    [
      "a day that is not in the calendar",
      { url, expires_at: "2027-02-30T12:00:00Z" },
      "expires_at: must be an ISO 8601 time with a zone, such as 2027-01-31T12:00:00Z",
    ],
    [
      "a time before computers",
      { url, expires_at: "1969-12-31T23:59:59Z" },
      "expires_at: must lie between the years 1970 and 9999",
    ],
    [
      "a time past the year 9999",
      { url, expires_at: "9999-12-31T23:59:59-01:00" },
      "expires_at: must lie between the years 1970 and 9999",
    ],
    [
      "a relative url in a geo rule",
      { url, geo_rules: [{ country: "DE", url: "/a" }] },
      "geo_rules.0.url: must be an absolute http:// or https:// URL",
    ],
    [
      "a country twice",
      {
        url,
        geo_rules: [
          { country: "DE", url },
          { country: "de", url },
        ],
      },
      "geo_rules: must name each country once",
    ],
    [
      "one variant",
      { url, ab_test: { variants: [{ url, weight: 1 }] } },
      "ab_test.variants: must have 2 to 4 variants",
    ],
    [
      "five variants",
      { url, ab_test: { variants: Array.from({ length: 5 }, () => ({ url, weight: 1 })) } },
      "ab_test.variants: must have 2 to 4 variants",
    ],
    [
      "a weight of zero",
      {
        url,
        ab_test: {
          variants: [
            { url, weight: 1 },
            { url, weight: 0 },
          ],
        },
      },
      "ab_test.variants.1.weight: must be at least 1",
    ],
    [
      "too large a weight",
      {
        url,
        ab_test: {
          variants: [
            { url, weight: 2 ** 31 },
            { url, weight: 1 },
          ],
        },
      },
      "ab_test.variants.0.weight: must be at most 2147483647",
    ],
    [
      "a broken weight",
      {
        url,
        ab_test: {
          variants: [
            { url, weight: 1.5 },
            { url, weight: 1 },
          ],
        },
      },
      "ab_test.variants.0.weight: must be a whole number",
    ],
    [
      "a credential in a variant",
      {
        url,
        ab_test: {
          variants: [
            { url, weight: 1 },
            { url: "https://a:b@example.com", weight: 1 },
          ],
        },
      },
      "ab_test.variants.1.url: must not contain a user name or password",
    ],
  ])("is refused with the field's name and the reason: %s", async (_, input, message) => {
    expect(await rejection(create(input as never))).toEqual({ code: "BAD_REQUEST", message });
  });

  it.each(["XX", "ZZ", "EU", "UK", "SU", "AAA", "D", "", "ß", "1A", "de-DE", "\0\0"])(
    "refuses %j as a country",
    async (country) => {
      expect(await rejection(create({ url, geo_rules: [{ country, url }] }))).toEqual({
        code: "BAD_REQUEST",
        message: "geo_rules.0.country: must be an ISO 3166-1 alpha-2 country code, such as DE",
      });
    },
  );

  it("is no country code of ISO 3166-1, nor XK for Kosovo", async () => {
    const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    const taken = codes.filter((country) => countryInput.safeParse(country).success);
    expect(taken).toHaveLength(249 + 1);
    expect(taken).toEqual(expect.arrayContaining(["AX", "CH", "GB", "SS", "TL", "US", "XK", "ZW"]));
  });

  it("creates nothing", async () => {
    const count = async () => (await depsOf(core).pool.query("select from links")).rowCount;
    const before = await count();
    await rejection(create({ url, slug: "ok", title: "a\0" }));
    await rejection(create({ url: "https://short.test/ok", slug: "ok" }));
    expect(await count()).toBe(before);
  });
});

it("a new link has the time of its creation", async () => {
  now = new Date("2026-04-01T00:00:00.000Z");
  expect((await create({ url })).created_at).toBe("2026-04-01T00:00:00.000Z");
});
