import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestCore, type TestCore } from "@terse/core/testing";
import { run as runProgram } from "@terse/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let test: TestCore;
let dataDir: string;
beforeAll(async () => {
  test = await createTestCore();
  dataDir = await mkdtemp(join(tmpdir(), "terse-redirect-"));
});
afterAll(async () => {
  await test.close();
  await rm(dataDir, { recursive: true });
});

const run = (env: Record<string, string>) =>
  runProgram(join(import.meta.dirname, "../src/main.ts"), {
    PATH: process.env.PATH,
    REDIRECT_PORT: "0",
    ADMIN_PORT: "0",
    DATA_DIR: dataDir,
    ...env,
  });

describe("the short-link host on its own", () => {
  it("serves until it is stopped", async () => {
    const host = run({ DATABASE_URL: test.databaseUrl });
    const { url } = await host.line();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    host.stop();
    expect(await host.end()).toEqual({ code: 0, errors: "" });
  });

  it("prints one line for a missing or invalid setting", async () => {
    const missing = await run({}).end();
    expect(missing.code).toBe(1);
    expect(missing.errors).toContain("DATABASE_URL is not set");
    const bad = await run({ DATABASE_URL: test.databaseUrl, SHORT_BASE: "nowhere" }).end();
    expect(bad.code).toBe(1);
    expect(bad.errors).toMatch(/^SHORT_BASE is "nowhere": .*\n$/m);
    expect(bad.errors).not.toContain("    at ");
  });

  it("starts without the database, and answers 503 with Retry-After", async () => {
    const host = run({ DATABASE_URL: "postgresql://terse:hush@127.0.0.1:1/terse" });
    const waiting = await host.line();
    expect(waiting).toMatchObject({ level: "warn", msg: "waiting for the database" });
    expect(JSON.stringify(waiting)).not.toContain("hush");
    const { url } = await host.line();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const answer = await fetch(`${url}/any`, { headers: { host: "localhost:3001" } });
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(answer.status).toBe(503);
    host.stop();
    expect(await host.end()).toEqual({ code: 0, errors: "" });
  });

  it("prints one line for a database error that waiting cannot fix", async () => {
    const url = new URL(test.databaseUrl);
    url.pathname = "/nowhere";
    const { code, errors } = await run({ DATABASE_URL: url.href }).end();
    expect(code).toBe(1);
    expect(errors).toMatch(/^The database at \S+ \(DATABASE_URL\) cannot be used: .*"nowhere".*\n$/);
  });
});
