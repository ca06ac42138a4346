import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { admin, newDataDir, processesOf, remove, run } from "./process.ts";
import { keyIn, linkIn, type Service, shorten, startService } from "./service.ts";

const ada = ["--email", "ada@example.com"];
let dataDir: string;
beforeAll(async () => {
  dataDir = await newDataDir();
});
afterAll(() => remove(dataDir));

describe("the admin command without a service", () => {
  test("creates the database and the first account, and leaves no process", async () => {
    const made = await admin(dataDir, ["user", "create", ...ada, "--name", "Ada"]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(made.answer).toEqual({
      id: expect.any(String),
      email: "ada@example.com",
      name: "Ada",
      plan: "free",
    });
    expect(await processesOf(dataDir)).toEqual([]);
  });

  test("prints one line if the database cannot be reached", async () => {
    const env = { DATABASE_URL: "postgresql://127.0.0.1:1/terse" };
    const { code, stderr } = await admin(dataDir, ["user", "list"], { env });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The database at 127\.0\.0\.1:1\/terse .*\n$/);
  });

  test("--help and --version exit with 0", async () => {
    for (const [option, text] of [
      ["--help", "Usage"],
      ["--version", "0.1.0"],
    ] as const) {
      const { output, ended } = run("admin.ts", [option]);
      expect(await ended).toBe(0);
      expect(output.stdout).toContain(text);
    }
  });
});

describe("the admin command beside a running service", () => {
  const refusal = "reports %s on standard error with exit code 1";
  let service: Service;
  const get = (path: string, headers: Record<string, string>) => fetch(`${service.api}${path}`, { headers });

  beforeAll(async () => {
    service = await startService(dataDir);
  });
  afterAll(async () => {
    await service.stop("SIGTERM");
  });

  test("an account created before the first start is the only one: no owner and no key are created", async () => {
    expect(keyIn(service.banner)).toBe("");
    expect(linkIn(service.banner)).toBe("");
    expect(service.banner).toContain("login-link --email EMAIL");
    const { answer } = await admin(dataDir, ["user", "list"]);
    expect(answer.users).toHaveLength(1);
  });

  // One of each way to be wrong; the others take the same way.
  test.each([
    ["an account that exists", ["user", "create", ...ada], /already has an account/],
    ["an unknown plan", ["user", "set-plan", ...ada, "--plan", "gold"], /free, pro, enterprise/],
    ["a missing option", ["key", "create"], /--email/],
    ["two filters", ["link", "find", "--host", "a.example", "--slug", "a"], /^Give exactly one of /],
    ["no command", [], /Usage/],
    ["a file that is no backup", ["restore", "--check", import.meta.filename], /^The file is not /],
    [
      "an unknown scope",
      ["key", "create", ...ada, "--scopes", "links"],
      /scopes\.0: must be one of links:read/,
    ],
  ])(refusal, isRefused);
  test.each([
    ["an invalid address", ["user", "create", "--email", "ada"], /not an e-mail address/],
    ["an unknown account", ["key", "create", "--email", "nobody@example.com"], /nobody@example\.com/],
    ["an unknown command", ["user", "destroy"], /There is no command admin user destroy/],
    [
      "no account",
      ["user", "suspend", "--reason", "spam"],
      /^Name the account, either by --email or by --account$/m,
    ],
    [
      "an expiry in the past",
      ["key", "create", ...ada, "--expires-at", "2020-01-01T00:00:00Z"],
      /in the future/,
    ],
    ["an invalid id", ["key", "revoke", "--id", "terse_abc"], /not the id of an API key/],
    ["an unknown id", ["key", "revoke", "--id", "00000000-0000-4000-8000-000000000000"], /No API key/],
  ])(refusal, { tags: ["long"] }, isRefused);

  test("says everything that is wrong, a line each or as JSON", async () => {
    const args = ["key", "create", ...ada, "--scopes", "links,clicks"];
    const { code, stderr } = await admin(dataDir, args);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^scopes\.0: .*\nscopes\.1: .*\n$/)]);
    const json = await admin(dataDir, [...args, "--json"]);
    const issues = [0, 1].map((at) => expect.objectContaining({ path: ["scopes", at] }));
    expect(JSON.parse(json.stderr)).toEqual({ error: stderr.trim(), issues });
  });

  async function isRefused(_: string, args: string[], message: RegExp): Promise<void> {
    const { code, stdout, stderr } = await admin(dataDir, args);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ +at /m);
  }

  test("rebuilds analytics, and reports the result", async () => {
    const { code, answer, stderr } = await admin(dataDir, ["analytics", "rebuild"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(answer).toEqual({ months: [], kept: [], clicks: 0, differences: [], repaired: 0 });
  });

  test("a key works at once, and stops working when it is revoked", async () => {
    const { answer } = await admin(dataDir, ["key", "create", ...ada, "--name", "laptop"]);
    expect(answer).toMatchObject({ name: "laptop", key: expect.stringMatching(/^terse_/) });
    expect(await shorten(service, answer.key, "https://example.com/")).toHaveProperty("shortUrl");
    const revoked = await admin(dataDir, ["key", "revoke", "--id", answer.id]);
    expect(revoked.answer).toEqual({ id: answer.id, deleted: true });
    expect((await get("/v1/me", { Authorization: `Bearer ${answer.key}` })).status).toBe(401);
  });

  test("a token of a directory works at once, and stops working when it is revoked", async () => {
    const { answer: session } = await admin(dataDir, ["session", "create", ...ada]);
    const made = await fetch(`${service.api}/v1/workspaces`, {
      method: "POST",
      headers: { Cookie: session.cookie, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "Acme", slug: "acme" }),
    });
    expect(made.status).toBe(201);
    const { answer } = await admin(dataDir, ["scim", "token", "--workspace", "acme", "--name", "okta"]);
    expect(answer).toMatchObject({
      name: "okta",
      workspace: { name: "Acme" },
      url: `${service.api}/scim/v2`,
    });
    const users = async () =>
      (await get("/scim/v2/Users", { Authorization: `Bearer ${answer.token}` })).status;
    expect(await users()).toBe(200);
    const { answer: listed } = await admin(dataDir, ["scim", "list", "--workspace", "acme"]);
    expect(listed.tokens).toMatchObject([{ id: answer.id, last_used_at: expect.any(String) }]);
    const revoked = await admin(dataDir, ["scim", "revoke", "--id", answer.id]);
    expect(revoked.answer).toEqual({ id: answer.id, deleted: true });
    expect(await users()).toBe(401);
  });

  test("the activity log of a workspace is verified", async () => {
    const { answer: shown } = await admin(dataDir, ["user", "show", ...ada]);
    const check = () => admin(dataDir, ["activity", "verify", "--workspace", shown.id]);
    const { code, answer } = await check();
    expect([code, answer]).toEqual([0, expect.objectContaining({ workspace: shown.id, broken: null })]);
    expect(answer.lines).toBeGreaterThan(0);
    const { answer: shared } = await admin(dataDir, ["activity", "verify", "--workspace", "acme"]);
    expect(shared).toMatchObject({ workspace: expect.any(String), broken: null });
    const unknown = await admin(dataDir, ["activity", "verify", "--workspace", "nobody"]);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringMatching(/not found/i)]);
  });

  test("a session's cookie signs in, and a plan applies from the next request on", async () => {
    const { answer } = await admin(dataDir, ["session", "create", ...ada]);
    expect(answer).toEqual({
      id: expect.any(String),
      token: expect.any(String),
      cookie: `session=${answer.token}`,
      expires_at: expect.any(String),
    });
    const me = async () => (await get("/v1/me", { Cookie: answer.cookie })).json();
    expect(await me()).toMatchObject({ data: { email: "ada@example.com", plan: "free" } });
    await admin(dataDir, ["user", "set-plan", ...ada, "--plan", "pro"]);
    expect(await me()).toMatchObject({ data: { plan: "pro" } });
  });

  test("a workspace's plan applies from the next request on", async () => {
    const { cookie } = (await admin(dataDir, ["session", "create", ...ada])).answer;
    const { data } = (await (
      await fetch(`${service.api}/v1/workspaces`, {
        method: "POST",
        headers: { Cookie: cookie, Origin: service.api, "Content-Type": "application/json" },
        body: JSON.stringify({ name: "Acme", slug: "planned" }),
      })
    ).json()) as { data: { id: string } };
    const changed = await admin(dataDir, [
      "workspace",
      "set-plan",
      "--workspace",
      "planned",
      "--plan",
      "pro",
    ]);
    const shown = { id: data.id, slug: "planned", plan: "pro", owner: "ada@example.com", members: 1 };
    expect(changed.answer).toMatchObject(shown);
    const named = { Cookie: cookie, "Terse-Workspace": "planned" };
    expect(await (await get("/v1/me", named)).json()).toMatchObject({ data: { plan: "pro" } });
    expect((await admin(dataDir, ["workspace", "show", "--workspace", data.id])).answer).toMatchObject(shown);
    const listed = (await admin(dataDir, ["workspace", "list"])).answer.workspaces as { id: string }[];
    expect(listed.map(({ id }) => id)).toContain(data.id);
    const unknown = await admin(dataDir, ["workspace", "show", "--workspace", "nothing"]);
    expect([unknown.code, unknown.stderr]).toEqual([1, "Workspace not found\n"]);
  });

  test("a sign-in link works once; a public URL must be https, and its links are valid for ten minutes", async () => {
    const { answer } = await admin(dataDir, ["login-link", ...ada]);
    expect(answer).toEqual({
      url: expect.stringContaining(`${service.api}/auth/local?token=`),
      email: "ada@example.com",
      expires_at: expect.any(String),
    });
    const open = async () => (await fetch(answer.url, { redirect: "manual" })).headers.get("set-cookie");
    expect(await open()).toMatch(/^session=/);
    expect(await open()).toBeNull();
    const publicLink = (BASE_URL: string) => admin(dataDir, ["login-link", ...ada], { env: { BASE_URL } });
    const { url, expires_at } = (await publicLink("https://terse.example")).answer;
    expect(url).toMatch(/^https:\/\/terse\.example\/auth\/local\?token=/);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(600_000);
    const { code, stderr } = await publicLink("http://terse.example");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Sign-in links work only .*\n$/)]);
  });

  test("commands use the addresses of the running service, unless their own settings say otherwise", async () => {
    const urlWith = async (env: Record<string, string>) =>
      (await admin(dataDir, ["login-link", ...ada], { env })).answer.url as string;
    expect(await urlWith({ HTTP_PORT: "4000" })).toMatch(/^http:\/\/localhost:4000\//);
    expect(await urlWith({ BASE_URL: "http://127.0.0.1:5000" })).toMatch(/^http:\/\/127\.0\.0\.1:5000\//);
    const record = JSON.parse(await readFile(join(dataDir, "service.json"), "utf8"));
    expect(record).toMatchObject({ BASE_URL: service.api, SHORT_BASE: service.short });
    // As after kill -9: the process with this mark is gone.
    await writeFile(join(dataDir, "service.json"), JSON.stringify({ ...record, mark: "999999999.1.x" }));
    expect(await urlWith({})).toMatch(/^http:\/\/localhost:3000\//);
    await writeFile(join(dataDir, "service.json"), JSON.stringify(record));
  });

  test("the service and its database keep running", async () => {
    expect((await get("/health", {})).status).toBe(200);
    expect(await service.stop("SIGTERM")).toBe(0);
    expect(await processesOf(dataDir)).toEqual([]);
    expect(await readdir(dataDir)).not.toContain("service.json");
  });
});
