import { describe, expect, it } from "vitest";
import { type Answer, linkOf, startApp } from "./client.ts";
import { seedAccount } from "./seeded-account.ts";

const app = await startApp({ clock: () => now });
let now = new Date("2026-03-01T12:00:00.123Z");

const json = "application/json";
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
  "created_by",
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
    const { key, account } = await app.key();
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
      created_by: { id: account.id, name: account.name },
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

  it("needs no credential; that link belongs to no account", async () => {
    const link = linkOf(await app.ask("POST", "/v1/links", { json: { url: "https://example.com/" } }));
    expect(Object.keys(link)).toEqual(linkFields);
    const { key } = await app.key("enterprise");
    expect((await app.ask("GET", `/v1/links/${link.id}`, { key })).status).toBe(404);
    expect((await app.ask("GET", `/v1/links/${link.id}`)).status).toBe(401);
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
    expect(data).toStrictEqual({
      id,
      email,
      name,
      plan: "pro",
      workspace: { id, slug: "personal", name, role: "owner", personal: true },
    });
  });
});

describe("/v1/keys", () => {
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
