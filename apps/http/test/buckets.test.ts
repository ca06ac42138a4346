import { describe, expect, it, vi } from "vitest";
import { type Ask, baseUrl, errorOf, startApp } from "./client.ts";
import { unknownId } from "@terse/core/fixtures";

const app = await startApp();
const { key } = await app.key("pro");
const shop = { title: "Shop", url: "https://shop.example/" };
const blog = { title: "Blog", url: "https://blog.example/" };
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const post = (json: unknown) => app.ask("POST", "/v1/buckets", { key, json });

describe("/buckets/preview", () => {
  const preview = async (draft: unknown, ask: Ask = {}) => {
    const { token } = await app.core.sessions.create((await app.account("pro")).id);
    const body = new URLSearchParams({ id: unknownId, draft: JSON.stringify(draft) }).toString();
    const headers = { "Content-Type": "application/x-www-form-urlencoded", ...ask.headers };
    return app.ask("POST", "/buckets/preview", { cookie: token, body, ...ask, headers });
  };
  const evil = `</title><script>alert(1)</script>"'`;
  const draft = {
    name: evil,
    description: evil,
    accent_color: "#fff;}",
    avatar_url: "https://elsewhere.example/track.webp",
    links: [
      { title: evil, url: "javascript:alert(1)" },
      { title: "Unfinished", url: "https://" },
      { title: "", url: "" },
    ],
  };

  it("is the page of a draft, which runs nothing, leads nowhere, and may be framed by the console only", async () => {
    const { status, text, headers } = await preview(draft);
    expect(status).toBe(200);
    expect(text).toContain("<h1");
    expect(text).not.toMatch(/<script|elsewhere|javascript:|fff;}/);
    expect(text.match(/<li>/g)).toHaveLength(2);
    const policy = headers.get("content-security-policy")?.split("; ");
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        `frame-ancestors ${baseUrl}`,
        "sandbox",
        "form-action 'none'",
      ]),
    );
    expect(headers.get("x-frame-options")).toBeNull();
  });

  it("does not parse an image's address with a host longer than any name, which would take long", async () => {
    const parse = vi.spyOn(URL, "parse");
    const avatar_url = `https://${"好".repeat(5000)}/`;
    expect((await preview({ ...draft, avatar_url })).status).toBe(200);
    expect(parse).not.toHaveBeenCalledWith(avatar_url);
    parse.mockRestore();
  });

  it("is refused without a session, from another site, and for what is no draft", async () => {
    expect((await preview(draft, { cookie: undefined })).status).toBe(401);
    expect((await preview(draft, { headers: { Origin: "https://evil.example" } })).status).toBe(403);
    expect((await preview(draft, { headers: { "Content-Type": "text/plain" } })).status).toBe(415);
    expect((await preview(draft, { body: "draft=%7B" })).status).toBe(400);
    expect(errorOf(await preview({ ...draft, links: Array(11).fill(draft.links[0]) }))).toMatch(/^links: /);
  });
});

describe("/v1/buckets", () => {
  it("answers 201 with the whole bucket, and lists it", async () => {
    const answer = await post({ name: "Ada", slug: "ada", links: [shop, blog] });
    expect(answer.status).toBe(201);
    const bucket = {
      id: expect.any(String),
      name: "Ada",
      slug: "ada",
      shortUrl: "http://short.test/ada",
      short_url: "http://short.test/ada",
      links: [shop, blog],
      description: null,
      accent_color: null,
      avatar_url: null,
      views: 0,
      clicks: 0,
      created_at: timestamp,
      created_by: { id: expect.any(String), name: expect.any(String) },
      updated_at: timestamp,
      disabled_at: null,
      disabled_reason: null,
    };
    expect(answer.json).toStrictEqual({ data: bucket, error: null, meta: null });
    expect(answer.headers.get("ratelimit-policy")).toMatch(/^"link-creation"/);

    const list = await app.ask("GET", "/v1/buckets", { key });
    expect(list.status).toBe(200);
    const meta = { page: 1, limit: 100, total: 1, total_pages: 1 };
    expect(list.json).toStrictEqual({ data: [bucket], error: null, meta });
  });

  it("changes the given fields, reports clicks, and deletes", async () => {
    const { data } = (await post({ name: "Before", links: [shop, blog] })).json as { data: { id: string } };
    const path = `/v1/buckets/${data.id}`;
    const changed = await app.ask("PUT", path, {
      key,
      json: { id: unknownId, name: "After", links: [blog] },
    });
    expect(changed.json).toMatchObject({ data: { id: data.id, name: "After", links: [blog] } });
    expect((await app.ask("GET", path, { key })).json).toEqual(changed.json);
    expect((await app.ask("GET", `${path}/stats`, { key })).json).toStrictEqual({
      data: { views: 0, clicks: 0, links: [{ ...blog, clicks: 0 }] },
      error: null,
      meta: null,
    });
    const deleted = await app.ask("DELETE", path, { key });
    expect(deleted.json).toStrictEqual({ data: { id: data.id, deleted: true }, error: null, meta: null });
    expect((await app.ask("GET", path, { key })).status).toBe(404);
  });
});
