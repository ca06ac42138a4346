import { describe, expect, it } from "vitest";
import { type Answer, linkOf, startApp } from "./client.ts";
import { seedAccount } from "./seeded-account.ts";

const app = await startApp({ clock: () => now });
let now = new Date("2026-03-01T12:00:00.123Z");

const json = "application/json";
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const linkFields = [
  "id",
  "slug",
  "shortUrl",
  "short_url",
  "destination",
  "domain",
  "title",
  "click_count",
  "last_click_at",
  "imported_clicks",
  "fallbacks",
  "is_active",
  "disabled_at",
  "disabled_reason",
  "health",
  "created_at",
  "updated_at",
  "tags",
  "notes",
  "qr",
  "starts_at",
  "expires_at",
  "click_limit",
  "preview",
  "has_password",
  "rules",
  "geo_rules",
  "ab_test",
  "fallback_url",
  "redirect_status",
  "forward_path",
  "forward_query",
];

/** The data of a success answer; fails if the envelope has anything else. */
function dataOf(answer: Answer, status = 200): unknown {
  expect(answer.status, answer.text).toBe(status);
  const { data } = answer.json as { data: unknown };
  expect(answer.json).toStrictEqual({ data, error: null, meta: null });
  return data;
}

describe("POST /v1/links", () => {
  it("answers 201 with the whole link", async () => {
    const { key } = await app.key();
    const answer = await app.ask("POST", "/v1/links", {
      key,
      json: { url: "HTTPS://Example.com/a b", slug: "launch", title: " Launch " },
    });
    const data = dataOf(answer, 201);
    expect(data).toStrictEqual({
      id: expect.any(String),
      slug: "launch",
      shortUrl: "http://short.test/launch",
      short_url: "http://short.test/launch",
      destination: "https://example.com/a%20b",
      domain: "short.test",
      title: "Launch",
      click_count: 0,
      last_click_at: null,
      imported_clicks: 0,
      fallbacks: 0,
      is_active: 1,
      disabled_at: null,
      disabled_reason: null,
      health: null,
      created_at: "2026-03-01T12:00:00.123Z",
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
    expect(Object.keys(data as object)).toEqual(linkFields);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-type")).toMatch(json);
  });

  it("accepts the options of the Pro plan, and never returns the password", async () => {
    const { key } = await app.key("pro");
    const options = {
      password: "open sesame",
      expires_at: "2027-01-31T14:00:00+02:00",
      geo_rules: [{ country: "de", url: "https://example.de" }],
      ab_test: {
        variants: [
          { url: "https://a.example", weight: 1 },
          { url: "https://b.example", weight: 3 },
        ],
      },
    };
    const answer = await app.ask("POST", "/v1/links", {
      key,
      json: { url: "https://example.com", ...options },
    });
    expect(dataOf(answer, 201)).toMatchObject({
      has_password: true,
      expires_at: "2027-01-31T12:00:00.000Z",
      geo_rules: [{ country: "DE", url: "https://example.de/" }],
      ab_test: {
        variants: [
          { url: "https://a.example/", weight: 1 },
          { url: "https://b.example/", weight: 3 },
        ],
      },
    });
    expect(answer.text).not.toContain("sesame");
  });

  it("needs no credential; that link belongs to no account", async () => {
    const link = linkOf(await app.ask("POST", "/v1/links", { json: { url: "https://example.com/" } }));
    expect(Object.keys(link)).toEqual(linkFields);
    const { key } = await app.key("enterprise");
    expect((await app.ask("GET", `/v1/links/${link.id}`, { key })).status).toBe(404);
    expect((await app.ask("GET", `/v1/links/${link.id}`)).status).toBe(401);
  });

  it.each([
    { domain: "example.org" },
    { password: "secret" },
    { expires_at: "2030-01-01T00:00:00Z" },
    { geo_rules: [{ country: "DE", url: "https://example.de/" }] },
    {
      ab_test: {
        variants: [
          { url: "https://a.example/", weight: 1 },
          { url: "https://b.example/", weight: 1 },
        ],
      },
    },
  ])("needs the Pro plan for $0, also without an account", async (option) => {
    const body = { json: { url: "https://example.com/", ...option } };
    for (const ask of [body, { ...body, key: (await app.key("free")).key }]) {
      const answer = await app.ask("POST", "/v1/links", ask);
      expect([answer.status, answer.json]).toEqual([
        403,
        { data: null, error: expect.stringMatching(/^(?:domain: )?Pro plan required/), meta: null },
      ]);
    }
  });

  it("gives a slug to one of 50 concurrent requests", async () => {
    const { key } = await app.key();
    const ask = { key, json: { url: "https://example.com/", slug: "contested" } };
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.ask("POST", "/v1/links", ask)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array<number>(49).fill(409)]);
  });
});

describe("GET /v1/links", () => {
  it("answers one page, newest first, with its numbers", async () => {
    const { key } = await app.key();
    const made: string[] = [];
    for (let minute = 0; minute < 5; minute++) {
      now = new Date(Date.UTC(2026, 3, 1, 12, minute));
      const ask = { key, json: { url: `https://example.com/${minute}` } };
      made.unshift(linkOf(await app.ask("POST", "/v1/links", ask)).id);
    }
    const page = async (query: string) => {
      const { status, json: body } = await app.ask("GET", `/v1/links${query}`, { key });
      expect(status).toBe(200);
      const { data, error, meta } = body as { data: { id: string }[]; error: null; meta: unknown };
      expect(error).toBeNull();
      return { ids: data.map(({ id }) => id), meta };
    };
    expect(await page("")).toEqual({
      ids: made,
      meta: { page: 1, limit: 20, total: 5, total_pages: 1, total_is_exact: true },
    });
    expect(await page("?page=2&limit=2")).toEqual({
      ids: made.slice(2, 4),
      meta: { page: 2, limit: 2, total: 5, total_pages: 3, total_is_exact: true },
    });
    expect(await page("?page=9")).toEqual({
      ids: [],
      meta: { page: 9, limit: 20, total: 5, total_pages: 1, total_is_exact: true },
    });
    expect(await page("?search=EXAMPLE.com/3")).toEqual({
      ids: [made[1]],
      meta: { page: 1, limit: 20, total: 1, total_pages: 1, total_is_exact: true },
    });
    expect(await page("?search=nothing")).toEqual({
      ids: [],
      meta: { page: 1, limit: 20, total: 0, total_pages: 0, total_is_exact: true },
    });
  });

  it("searches for the decoded text; wildcards are literal", async () => {
    const { key } = await app.key();
    for (const title of ["100% sure", "under_score", "a+b & c", "Größe", "back\\slash"])
      await app.ask("POST", "/v1/links", { key, json: { url: "https://example.com/", title } });
    const titles = async (search: string) => {
      const { json: body } = await app.ask("GET", `/v1/links?search=${search}`, { key });
      return (body as { data: { title: string }[] }).data.map(({ title }) => title);
    };
    expect(await titles("0%25")).toEqual(["100% sure"]);
    expect(await titles("r_s")).toEqual(["under_score"]);
    expect(await titles("a%2Bb+%26")).toEqual(["a+b & c"]);
    expect(await titles("gr%C3%B6%C3%9Fe")).toEqual(["Größe"]);
    expect(await titles("%5C")).toEqual(["back\\slash"]);
    expect(await titles("%25%25")).toEqual([]);
  });
});

describe("GET /v1/links/{id}", () => {
  it("answers 200 with the link as it was created", async () => {
    const { key, link } = await seedAccount(app);
    const data = dataOf(await app.ask("GET", `/v1/links/${link.id}`, { key }));
    expect(data).toStrictEqual(link);
    expect(Object.keys(data as object)).toEqual(linkFields);
  });
});

describe("PUT /v1/links/{id}", () => {
  it("changes the fields given and no others", async () => {
    const { key, link } = await seedAccount(app);
    now = new Date("2026-05-01T00:00:00Z");
    const put = (changes: object) => app.ask("PUT", `/v1/links/${link.id}`, { key, json: changes });
    const updated_at = "2026-05-01T00:00:00.000Z";
    expect(dataOf(await put({ title: "New" }))).toStrictEqual({ ...link, title: "New", updated_at });
    expect(dataOf(await put({ url: "https://example.com/new" }))).toStrictEqual({
      ...link,
      title: "New",
      destination: "https://example.com/new",
      updated_at,
    });
    expect(dataOf(await put({ is_active: 0 }))).toMatchObject({ title: "New", is_active: 0 });
    const { slug } = dataOf(await put({ slug: `renamed-${link.slug}` })) as { slug: string };
    expect(slug).toBe(`renamed-${link.slug}`);
  });

  it("changes nothing without fields", async () => {
    const { key, link } = await seedAccount(app);
    for (const ask of [{}, { json: {} }, { json: { click_count: 7 } }])
      expect(dataOf(await app.ask("PUT", `/v1/links/${link.id}`, { key, ...ask }))).toStrictEqual(link);
  });

  it("clears optional fields with null; null is refused for others", async () => {
    const { key, link } = await seedAccount(app);
    const put = (changes: object) => app.ask("PUT", `/v1/links/${link.id}`, { key, json: changes });
    const filled = {
      title: "x",
      password: "secret",
      expires_at: "2030-01-01T00:00:00Z",
      geo_rules: [{ country: "FR", url: "https://example.fr/" }],
    };
    expect(dataOf(await put(filled))).toMatchObject({ title: "x", has_password: true });
    const cleared = await put({
      title: null,
      password: null,
      expires_at: null,
      geo_rules: null,
      ab_test: null,
    });
    expect(dataOf(cleared)).toStrictEqual({ ...link, updated_at: expect.any(String) });
    for (const field of ["url", "slug", "is_active"]) expect((await put({ [field]: null })).status).toBe(400);
  });

  it("changes all fields or none", async () => {
    const { key, link } = await seedAccount(app);
    const { link: other } = await seedAccount(app);
    for (const wrong of [{ url: "x" }, { slug: other.slug }, { is_active: 2 }, { ab_test: {} }]) {
      const answer = await app.ask("PUT", `/v1/links/${link.id}`, { key, json: { title: "half", ...wrong } });
      expect([400, 409]).toContain(answer.status);
      expect(linkOf(await app.ask("GET", `/v1/links/${link.id}`, { key }))).toStrictEqual(link);
    }
  });

  it("takes the id from the path, whatever the body says", async () => {
    const { key, link } = await seedAccount(app);
    const { link: other } = await seedAccount(app);
    const answer = await app.ask("PUT", `/v1/links/${link.id}`, {
      key,
      json: { id: other.id, title: "Mine" },
    });
    expect(linkOf(answer)).toMatchObject({ id: link.id, title: "Mine" });
  });
});

describe("DELETE /v1/links/{id}", () => {
  it("answers 200 once, then 404, and frees the slug", async () => {
    const { key, link } = await seedAccount(app);
    const path = `/v1/links/${link.id}`;
    expect(dataOf(await app.ask("DELETE", path, { key }))).toStrictEqual({ id: link.id, deleted: true });
    expect((await app.ask("DELETE", path, { key })).status).toBe(404);
    expect((await app.ask("GET", path, { key })).status).toBe(404);
    const again = await app.ask("POST", "/v1/links", {
      json: { url: "https://example.org/", slug: link.slug },
    });
    expect(again).toMatchObject({ status: 201, json: { data: { click_count: 0, title: null } } });
  });
});

describe("a link that nobody owns", () => {
  it("comes with the time when it is deleted if nobody uses it, in `meta`", async () => {
    const link = { json: { url: "https://example.org/" } };
    const { meta } = (await app.ask("POST", "/v1/links", link)).json as { meta: unknown };
    const end = new Date(now.getTime() + 30 * 24 * 3_600_000).toISOString();
    expect(meta).toEqual({ deleted_unless_clicked_by: end });
    const { key } = await app.key();
    dataOf(await app.ask("POST", "/v1/links", { key, ...link }), 201); // `meta` is null
  });
});

describe("/v1/me", () => {
  it("answers the profile of the calling account", async () => {
    const { key, account } = await app.key("pro");
    const { id, email, name } = account;
    const data = dataOf(await app.ask("GET", "/v1/me", { key }));
    expect(data).toStrictEqual({ id, email, name, plan: "pro" });
  });

  it("stores consents", async () => {
    const { key } = await app.key();
    const patch = (consents: object) => app.ask("PATCH", "/v1/me/consents", { key, json: consents });
    expect(dataOf(await patch({}))).toStrictEqual({ marketing: false });
    expect(dataOf(await patch({ marketing: true }))).toStrictEqual({ marketing: true });
    expect(dataOf(await patch({}))).toStrictEqual({ marketing: true });
    expect(dataOf(await patch({ marketing: false }))).toStrictEqual({ marketing: false });
  });
});

describe("/v1/keys", () => {
  it("shows a key once, accepts it, lists its prefix, and refuses it once it is deleted", async () => {
    const { key } = await app.key("enterprise");
    const answer = await app.ask("POST", "/v1/keys", { key, json: { name: "build server" } });
    const made = dataOf(answer, 201) as { id: string; key: string; prefix: string };
    expect(made).toStrictEqual({
      id: expect.any(String),
      name: "build server",
      prefix: made.key.slice(0, made.prefix.length),
      created_at: timestamp,
      last_used_at: null,
      scopes: [
        "links:read",
        "links:write",
        "analytics:read",
        "domains",
        "buckets",
        "keys",
        "account",
        "webhooks",
      ],
      expires_at: null,
      key: expect.stringMatching(/^terse_[\w-]{43}$/),
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect((await app.ask("GET", "/v1/me", { key: made.key })).status).toBe(200);

    const list = await app.ask("GET", "/v1/keys", { key });
    const { key: _secret, ...shown } = made;
    expect(dataOf(list)).toContainEqual({ ...shown, last_used_at: timestamp });
    expect(list.text).not.toContain(made.key);

    const deleted = await app.ask("DELETE", `/v1/keys/${made.id}`, { key });
    expect(dataOf(deleted)).toStrictEqual({ id: made.id, deleted: true });
    expect((await app.ask("GET", "/v1/me", { key: made.key })).status).toBe(401);
  });

  it("makes a key without a body", async () => {
    const { key } = await app.key("enterprise");
    expect(dataOf(await app.ask("POST", "/v1/keys", { key }), 201)).toMatchObject({ name: "API key" });
  });
});

it("GET /health answers a plain object, whatever credential is sent", async () => {
  for (const ask of [{}, { key: "terse_unknown" }, { cookie: "nobody" }]) {
    const { status, json: body } = await app.ask("GET", "/health", ask);
    expect([status, body]).toEqual([200, { status: "ok", service: "terse" }]);
  }
});
