import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createTestCore, type TestCore } from "@terse/core/testing";
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

/** Runs main.ts; `line` gives its next line on standard output, `end` its exit code and standard error. */
function run(env: Record<string, string>) {
  const main = join(import.meta.dirname, "../src/main.ts");
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, REDIRECT_PORT: "0", DATA_DIR: dataDir, ...env },
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  return {
    line: async () => String((await lines.next()).value),
    end: () =>
      new Promise<{ code: number | null; errors: string }>((resolve) => {
        child.once("close", (code) => resolve({ code, errors }));
      }),
    stop: () => child.kill("SIGTERM"),
  };
}

describe("the short-link host on its own", () => {
  it("serves until it is told to stop", async () => {
    const host = run({ DATABASE_URL: test.databaseUrl });
    const { url } = JSON.parse(await host.line()) as { url: string };
    expect((await fetch(`${url}/health`)).status).toBe(200);
    host.stop();
    expect(await host.end()).toEqual({ code: 0, errors: "" });
  });

  it("says in one line which setting is missing or bad", async () => {
    const missing = await run({}).end();
    expect(missing.code).toBe(1);
    expect(missing.errors).toContain("DATABASE_URL is not set");
    const bad = await run({ DATABASE_URL: test.databaseUrl, SHORT_BASE: "nowhere" }).end();
    expect(bad.code).toBe(1);
    expect(bad.errors).toMatch(/^SHORT_BASE is "nowhere": .*\n$/m);
    expect(bad.errors).not.toContain("    at ");
  });

  it("says in one line that its port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const { code, errors } = await run({ DATABASE_URL: test.databaseUrl, REDIRECT_PORT: `${port}` }).end();
    other.close();
    expect(code).toBe(1);
    expect(errors).toMatch(/^redirect: port \d+ .*REDIRECT_PORT.*\n$/);
  });

  it("starts while the database is away, and asks to come back", async () => {
    const host = run({ DATABASE_URL: "postgresql://terse:hush@127.0.0.1:1/terse" });
    const waiting = await host.line();
    expect(JSON.parse(waiting)).toMatchObject({ level: "warn", msg: "waiting for the database" });
    expect(waiting).not.toContain("hush");
    const { url } = JSON.parse(await host.line()) as { url: string };
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const answer = await fetch(`${url}/any`, { headers: { host: "localhost:3001" } });
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(answer.status).toBe(503);
    host.stop();
    expect(await host.end()).toEqual({ code: 0, errors: "" });
  });

  it("says in one line that the database is not one that waiting would bring", async () => {
    const url = new URL(test.databaseUrl);
    url.pathname = "/nowhere";
    const { code, errors } = await run({ DATABASE_URL: url.href }).end();
    expect(code).toBe(1);
    expect(errors).toMatch(/^The database at \S+ \(DATABASE_URL\) cannot be used: .*"nowhere".*\n$/);
  });
});
