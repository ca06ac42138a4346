import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { browserMissing } from "@terse/testkit/chromium";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Service, startService } from "../../client/test/service.ts";
import { person } from "./person.ts";
import { buildProgram, start } from "./program.ts";

/** `terse login` by the device flow: the real program, the real service, and a person with a real browser. */

const missing = browserMissing();

describe.skipIf(missing)(`signing in by the browser${missing ? ` (left out: ${missing})` : ""}`, () => {
  let service: Service;
  const home = mkdtempSync(join(tmpdir(), "terse-login-"));
  const program = join(home, "dist");
  const file = join(home, "terse/config.json");
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  beforeAll(async () => {
    service = await startService();
    buildProgram(program);
  });
  const env = (more: NodeJS.ProcessEnv = {}) => ({ XDG_CONFIG_HOME: home, ...more });
  const terse = (...args: string[]) => start(program, args, env()).ended;
  const stored = () => JSON.parse(readFileSync(file, "utf8"));
  const change = (tokens: object) => {
    const { [service.url]: before } = stored().tokens;
    writeFileSync(file, JSON.stringify({ ...stored(), tokens: { [service.url]: { ...before, ...tokens } } }));
  };

  it("takes one that the user allowed, and learns of one that the user refused", async () => {
    const { account, answer, close } = await person(service, "enterprise");
    const login = (more?: NodeJS.ProcessEnv) => start(program, ["login", "--url", service.url], env(more));
    const refused = login({ XDG_CONFIG_HOME: join(home, "refused") });
    const allowed = login();
    await answer(refused, "Refuse");
    await answer(allowed, "Allow");
    await close();
    expect(await refused.ended).toMatchObject({
      status: 3,
      stdout: "",
      stderr: expect.stringContaining("refused in the browser"),
    });
    expect(await allowed.ended).toMatchObject({
      status: 0,
      stdout: `Signed in to ${service.url} as ${account.email}\n`,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await terse("whoami")).stdout).toContain(`<${account.email}>`);
  });

  it("renews its tokens once, however many commands run, and after one was killed meanwhile", async () => {
    const { refresh } = stored().tokens[service.url];
    change({ expires: 0 });
    writeFileSync(`${file}.lock`, "");
    utimesSync(`${file}.lock`, 0, 0);
    const all = await Promise.all(Array.from({ length: 4 }, () => terse("list", "--json")));
    expect(all.map(({ status, stdout, stderr }) => [status, stdout, stderr])).toEqual(
      all.map(() => [0, "[]\n", ""]),
    );
    expect(stored().tokens[service.url].refresh).not.toBe(refresh);
  });

  it("ends it at the service with `terse logout`, and says so when it has ended", async () => {
    const before = stored();
    expect((await terse("logout")).stdout).toBe(`Signed out of ${service.url}\n`);
    expect(stored().tokens).toEqual({});
    writeFileSync(file, JSON.stringify(before));
    expect(await terse("list")).toMatchObject({ status: 3, stderr: expect.stringContaining("terse login") });
    change({ expires: 0 });
    expect(await terse("list")).toMatchObject({ status: 3, stderr: expect.stringContaining("has ended") });
  });

  it("has a sign-in for each workspace, in which all commands work, members and invitations too", async () => {
    const { account, answer, close, page } = await person(service, "enterprise");
    const caller = service.core.caller({ kind: "account", account, user: account, credential: "internal" });
    const { id, slug } = await caller.workspaces.create({ name: "Acme", slug: "acme" });
    await service.core.workspaces.setPlan(id, "enterprise");
    const inAcme = (...args: string[]) =>
      start(program, ["--workspace", slug, ...args], env({ TERSE_URL: service.url }));
    const wrong = inAcme("login");
    await answer(wrong, "Allow");
    expect(await wrong.ended).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("another workspace than acme"),
    });
    const right = inAcme("login");
    await answer(right, "Allow", () => page.getByLabel("Workspace").selectOption("Acme"));
    expect((await right.ended).status).toBe(0);
    await close();
    const run = async (...args: string[]) => {
      const { status, stdout, stderr } = await inAcme(...args, "--json").ended;
      expect([status, stderr]).toEqual([0, ""]);
      return JSON.parse(stdout);
    };
    expect(await run("whoami")).toMatchObject({ workspace: { id, role: "owner" } });
    expect(await run("workspace", "show")).toMatchObject({ id });
    expect(await run("member", "list")).toMatchObject([{ user_id: account.id }]);
    const { id: invitation } = await run("invite", "create", "ada@example.com", "--role", "viewer");
    expect(await run("invite", "list")).toMatchObject([{ id: invitation }]);
    await run("invite", "withdraw", invitation);
    await run("shorten", "https://example.com/", "--slug", "acme-only");
    expect(await run("show", "acme-only")).toMatchObject({ slug: "acme-only" });
    expect(await run("list")).toHaveLength(1);
    const { key } = await service.core.keys.issue(account.id);
    const named = { TERSE_URL: service.url, TERSE_KEY: key, TERSE_WORKSPACE: "acme" };
    expect((await start(program, ["list"], env(named)).ended).status).toBe(5);
    expect((await inAcme("logout").ended).status).toBe(0);
    expect((await inAcme("list").ended).status).toBe(3);
  });

  it("refuses an address that is not that of the service", async () => {
    const other = service.url.replace("127.0.0.1", "localhost");
    expect(await terse("login", "--url", other)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(`calls itself "${service.url}"`),
    });
    expect((await terse("login", "--url", "http://127.0.0.1:1")).status).toBe(8);
  });
});
