import { join } from "node:path";
import { createTestCore, type TestCore } from "@terse/core/testing";
import { run as runProgram } from "@terse/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bearer, callOf } from "./app.ts";

let test: TestCore;
beforeAll(async () => {
  test = await createTestCore();
});
afterAll(() => test.close());

const run = (env: Record<string, string>) =>
  runProgram(join(import.meta.dirname, "../src/main.ts"), {
    PATH: process.env["PATH"],
    MCP_PORT: "0",
    ADMIN_PORT: "0",
    ...env,
  });

const post = (url: string, key: string) =>
  fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...bearer(key),
    },
    body: JSON.stringify(callOf("list_links", {})),
  });

describe("the MCP host on its own", () => {
  it("serves until it is stopped", async () => {
    const { key } = await test.key("pro");
    const host = run({ DATABASE_URL: test.databaseUrl });
    const { url } = await host.line();
    const response = await post(url, key);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"total":0')]);
    host.stop();
    expect(await host.end()).toEqual({ code: 0, errors: "" });
  });

  it("says in one line which setting is missing or bad", async () => {
    const missing = await run({}).end();
    expect(missing).toEqual({ code: 1, errors: expect.stringContaining("DATABASE_URL is not set") });
    const bad = await run({ DATABASE_URL: test.databaseUrl, MCP_URL: "nowhere" }).end();
    expect(bad).toEqual({ code: 1, errors: expect.stringMatching(/^MCP_URL is "nowhere": .*\n$/m) });
  });

  it("starts while the database is unreachable, and answers 503 with Retry-After", async () => {
    const host = run({ DATABASE_URL: "postgresql://terse:hush@127.0.0.1:1/terse" });
    const { url } = await host.line();
    expect(await host.line()).toMatchObject({ level: "warn", msg: "waiting for the database" });
    const response = await post(url, "terse_any");
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
    host.stop();
    expect(await host.end()).toEqual({ code: 0, errors: "" });
  });

  it("exits with one line if the database refuses it", async () => {
    const url = new URL(test.databaseUrl);
    url.pathname = "/nowhere";
    const { code, errors } = await run({ DATABASE_URL: url.href }).end();
    expect(code).toBe(1);
    expect(errors).toMatch(/^The database at \S+ \(DATABASE_URL\) cannot be used: .*nowhere.*\n$/);
  });
});
