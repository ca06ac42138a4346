import { createCore } from "@terse/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp, createTestApp, type TestApp } from "./app.ts";
import { layCable } from "./cable.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe("the fixed paths", () => {
  it("are the same on every host", async () => {
    for (const host of ["short.test", "other.test", ""]) {
      const health = await app.get("/health", { headers: { host } });
      expect(await health.json()).toEqual({ status: "ok", service: "terse-redirect" });
      expect(await (await app.get("/robots.txt", { headers: { host } })).text()).toBe(
        "User-agent: *\nDisallow:\n",
      );
      const icon = await app.get("/favicon.ico", { headers: { host } });
      expect(icon.headers.get("content-type")).toBe("image/svg+xml");
      expect(icon.headers.get("cache-control")).toBe("public, max-age=86400");
    }
  });

  it("are only read", async () => {
    for (const path of ["/health", "/robots.txt", "/favicon.ico"]) {
      const answer = await app.get(path, { method: "DELETE" });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    }
  });
});

describe("every answer", () => {
  const paths = ["/health", "/robots.txt", "/nope", "/", "/%"];

  it("carries a request id, the caller's own where it is harmless", async () => {
    for (const path of paths) {
      expect((await app.get(path)).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
      const given = await app.get(path, { headers: { "x-request-id": "abc-1" } });
      expect(given.headers.get("x-request-id")).toBe("abc-1");
      expect(given.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("is logged, without query and password", async () => {
    app.lines.length = 0;
    const { slug } = await app.link({ password: "secret-word" });
    await app.post(`/${slug}?token=in-query`, "secret-word");
    expect(app.lines).toEqual([
      expect.objectContaining({ method: "POST", path: `/${slug}`, status: 303, msg: "request" }),
    ]);
    expect(JSON.stringify(app.lines)).not.toMatch(/secret-word|in-query/);
  });
});

describe("a failure", () => {
  const textOf = async (answer: Response) => (await answer.text()).replace(/<style>.*<\/style>/s, "");

  it("to reach the database asks to come back", async () => {
    const cable = await layCable(app.databaseUrl);
    const core = await createCore({ databaseUrl: cable.url, shortBase: "http://short.test" });
    const { get } = createApp(core);
    expect((await get("/any")).status).toBe(404);
    cable.cut();
    for (let n = 0; n < 3; n++) {
      const answer = await get(`/any${n}`);
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(answer.headers.get("x-request-id")).not.toBeNull();
      const page = await textOf(answer);
      expect(page).toContain("Back in a moment");
      expect(page).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|database/);
    }
    expect((await get("/health")).status).toBe(200);
    await core.close();
  });

  it("of our own tells nothing internal, but is logged whole", async () => {
    const unknown = new URL(app.databaseUrl);
    unknown.pathname = "/nowhere";
    const core = await createCore({ databaseUrl: unknown.href, shortBase: "http://short.test" });
    const { get, lines } = createApp(core);
    const answer = await get("/any", { headers: { accept: "application/json" } });
    const page = await textOf(answer);
    expect(answer.status).toBe(500);
    expect(page).toContain("Something went wrong");
    expect(page).not.toMatch(/database|select|Error|\.ts/);
    expect(lines).toEqual([expect.objectContaining({ level: "error", status: 500 })]);
    expect(JSON.stringify(lines)).toContain("nowhere");
    await core.close();
  });

  it("to find a schema, which a start is about to make, asks to come back", async () => {
    const noSchema = new URL(app.databaseUrl);
    noSchema.pathname = "/postgres";
    const core = await createCore({ databaseUrl: noSchema.href, shortBase: "http://short.test" });
    const { get } = createApp(core);
    expect((await get("/any")).status).toBe(503);
    await core.close();
  });
});
