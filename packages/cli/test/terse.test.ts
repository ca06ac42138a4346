import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@terse/client";
import { browserUserAgent, until } from "@terse/testkit";
import scanner from "jsqr";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { startService } from "../../client/test/service.ts";
import { commands } from "../src/commands/index.ts";
import { addressOf } from "../src/config.ts";
import { createTerminal, safe } from "../src/terminal.ts";
import { buildProgram, type Ended, start } from "./program.ts";

const service = await startService();
service.core.jobs.start();
const { key, account } = await service.key("pro");
const owner = createClient({ baseUrl: service.url, key });
const home = mkdtempSync(join(tmpdir(), "terse-cli-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const program = buildProgram(join(home, "dist"));
const signedIn = { XDG_CONFIG_HOME: home, TERSE_URL: service.url, TERSE_KEY: key };

async function terse(
  args: string[],
  { env = signedIn, input = "" }: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Ended> {
  const { child, ended } = start(program, args, env);
  child.stdin.end(input);
  return ended;
}
const printed = async (...args: string[]) => {
  const { status, stdout, stderr } = await terse(args);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return stdout;
};
const click = (id: string) =>
  service.core.clicks.record({ link_id: id, user_agent: browserUserAgent, address: "8.8.8.8" });
const url = "https://example.com/";

it("shortens, lists, shows, changes and deletes", async () => {
  const short = await printed(
    "shorten",
    url,
    "--slug",
    "größe",
    "--tag",
    "a",
    "--tag",
    "b",
    "--title",
    "Launch",
  );
  expect(short).toBe("http://short.test/gr%C3%B6%C3%9Fe\n");
  expect(await printed("list", "größe")).toBe(
    `${short.trim()}\t0\t${new Date().toISOString().slice(0, 10)}\t${url}\n`,
  );
  expect(await printed("edit", "größe", "--title", "", "--off", "--json")).toMatch(
    /"title":null.*"is_active":0/,
  );
  expect(await printed("show", short.trim())).toMatch(/^state +off$/m);
  expect(await printed("delete", "größe", "--yes")).toBe("größe is deleted\n");
  expect(JSON.parse(await printed("list", "größe", "--json"))).toEqual([]);
});

it("manages a workspace, its members and invitations", async () => {
  const own = JSON.parse(await printed("workspace", "show", "--json")) as { id: string; slug: string };
  expect(await printed("workspace", "list")).toContain(`\towner\tpro\t1\t${own.id}\n`);
  const args = ["--role", "editor", "--days", "2", "--json"];
  const guest = await service.account("pro");
  const invitation = JSON.parse(await printed("invite", "create", guest.email, ...args)) as {
    id: string;
    url: string;
  };
  expect(await printed("invite", "list")).toContain(`${guest.email}\teditor\t`);
  const token = new URL(invitation.url).pathname.split("/").at(-1) ?? "";
  const actor = { kind: "account", account: guest, credential: "internal" } as const;
  await service.core.caller(actor).invitations.accept({ token });
  const changed = await printed("member", "set-role", guest.email, "--role", "viewer");
  expect(changed).toBe(`${guest.email} is viewer now\n`);
  expect(await printed("member", "list")).toContain(`\t${guest.email}\tviewer\t`);
  expect(await printed("member", "remove", guest.email)).toBe(`${guest.email} is no longer a member\n`);
  expect(await terse(["member", "remove", guest.email])).toMatchObject({ status: 2 });
  const other = JSON.parse(await printed("invite", "create", "--json")) as { id: string };
  expect(await printed("invite", "withdraw", other.id)).toBe(`${other.id} is withdrawn\n`);
  expect(JSON.parse(await printed("invite", "list", "--json"))).toEqual([]);
  const made = JSON.parse(await printed("workspace", "create", "Acme", "--json")) as { name: string };
  expect(made).toMatchObject({ name: "Acme", role: "owner" });
  expect(await printed("workspace", "update", own.id, "--name", "Renamed")).toMatch(/^name +Renamed$/m);
});

it("prints an object for one thing and an array for several, with --json in every command", async () => {
  expect(JSON.parse(await printed("shorten", url, "--json"))).toMatchObject({ destination: url });
  const several = JSON.parse(await printed("shorten", `${url}1`, `${url}2`, "--json")) as { id: string }[];
  expect(several).toMatchObject([{ destination: `${url}1` }, { destination: `${url}2` }]);
  const piped = await terse(["shorten", "-", "--json"], { input: `${url}3\n` });
  const [link] = JSON.parse(piped.stdout) as { id: string; destination: string }[];
  expect(link).toMatchObject({ destination: `${url}3` });
  expect(JSON.parse((await terse(["shorten", "-", "--json"])).stdout)).toEqual([]);
  const gone = (...ids: string[]) => printed("delete", ...ids, "--yes", "--json").then(JSON.parse);
  expect(await gone(link?.id ?? "")).toEqual({ id: link?.id, deleted: true });
  const ids = several.map(({ id }) => id);
  expect(await gone(...ids)).toEqual(ids.map((id) => ({ id, deleted: true })));
});

it("says everything that is wrong, a line each or as JSON", async () => {
  const args = ["shorten", "ftp://refused", "--slug", "a b"];
  const lines = await terse(args);
  expect(lines).toMatchObject({ status: 1, stdout: "" });
  expect(lines.stderr).toMatch(/^terse: url: .*\nterse: slug: .*\n$/);
  const json = await terse([...args, "--json"]);
  expect(json).toMatchObject({ status: 1, stdout: "" });
  const [first = "", slug = ""] = lines.stderr.split("\n").map((line) => line.slice("terse: ".length));
  expect(JSON.parse(json.stderr)).toEqual({
    error: first,
    status: 400,
    code: "BAD_REQUEST",
    request_id: expect.any(String),
    issues: [
      expect.objectContaining({ path: ["url"], message: first.slice("url: ".length) }),
      expect.objectContaining({ path: ["slug"], message: slug.slice("slug: ".length) }),
    ],
  });
  const usage = await terse(["shorten", "--json"]);
  expect([usage.status, JSON.parse(usage.stderr)]).toEqual([2, { error: "URL… is missing" }]);
});

it("names the URL that is refused, and stops there or goes on as it was told", async () => {
  const input = `${url}before\n\nftp://refused\n${url}after\n`;
  const created = (stdout: string) => stdout.trim().split("\n").length;
  const stopped = await terse(["shorten", "-"], { input });
  expect(stopped.stderr).toMatch(/^terse: line 3, ftp:\/\/refused: url: /);
  expect([stopped.status, created(stopped.stdout)]).toEqual([1, 1]);
  const all = await terse(["shorten", "-", "--on-error", "continue"], { input });
  expect(all.stderr).toMatch(
    /^terse: line 3, ftp:\/\/refused: url: .*\nterse: Not all URLs were shortened\n$/,
  );
  expect([all.status, created(all.stdout)]).toEqual([1, 2]);
  const json = await terse(["shorten", `${url}a`, "ftp://refused", `${url}b`, "--json"]);
  expect(JSON.parse(json.stderr)).toMatchObject({
    error: expect.stringMatching(/^ftp:\/\/refused: url: /),
    status: 400,
    issues: [{ path: ["url"] }],
  });
  expect(JSON.parse(json.stdout)).toHaveLength(1);
  const unsigned = await terse(["shorten", "-", "--on-error", "continue"], {
    input,
    env: { ...signedIn, TERSE_KEY: "terse_wrong" },
  });
  expect([unsigned.status, unsigned.stdout]).toEqual([3, ""]);
});

it("finds a link by what works for visitors", async () => {
  await printed("shorten", url, "--slug", "visited");
  const spellings = ["visited", "http://short.test/visited/", "short.test/visited+", "visited+", "visited)."];
  for (const text of [...spellings, " visited ", "http://short.test/visited&amp;utm_source=x"])
    expect(await printed("show", text)).toContain("http://short.test/visited");
  expect(await printed("list", "short.test/visited")).toMatch(/^http:\/\/short\.test\/visited\t.*\n$/);
});

it("prints whole lines where a terminal says that it has no width", () => {
  const { columns } = process.stdout;
  onTestFinished(() => void Object.assign(process.stdout, { columns }));
  Object.assign(process.stdout, { columns: 0 });
  expect(createTerminal({}, false).width).toBe(80);
});

it("warns of a file with keys that others can read", async () => {
  const folder = join(home, "exposed");
  const env = { XDG_CONFIG_HOME: folder };
  await terse(["login", "--url", service.url, "--key", "-"], { env, input: `${key}\n` });
  const file = join(folder, "terse/config.json");
  expect((await terse(["list"], { env })).stderr).toBe("");
  chmodSync(file, 0o644);
  const { status, stderr } = await terse(["list"], { env });
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: `terse: others can read the keys in ${file}; run: chmod 600 ${file}\n`,
  });
});

it("says where the address of a service that does not answer is from", async () => {
  const elsewhere = createHttpServer((request, response) => {
    response.writeHead(request.url?.startsWith("/page") ? 200 : 404, { "Content-Type": "text/html" });
    response.end("<h1>Not here</h1>");
  });
  await once(elsewhere.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  for (const [address, args, sentence] of [
    ["http://127.0.0.1:1", ["list"], "could not be reached"],
    ["http://127.0.0.1:1", ["show", "x"], "could not be reached"],
    [origin, ["list"], "does not answer like Terse"],
    [origin, ["show", "x"], "does not answer like Terse"],
    [`${origin}/page`, ["list"], "not JSON"],
    [`${origin}/page`, ["show", "x"], "not JSON"],
  ] as const) {
    const { status, stderr } = await terse([...args], { env: { ...signedIn, TERSE_URL: address } });
    expect({ args, status, stderr }).toEqual({ args, status: 8, stderr: expect.stringContaining(sentence) });
    expect(stderr).toContain(`its address ${address} is from TERSE_URL; to use another one, set TERSE_URL`);
  }
  elsewhere.close();
});

it("finds the service that runs in its checkout", () => {
  const folder = join(home, "checkout");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "service.json"),
    JSON.stringify({ mark: "1", BASE_URL: "http://localhost:4321" }),
  );
  const env = { XDG_CONFIG_HOME: folder, DATA_DIR: folder };
  expect(addressOf(env)).toEqual({ url: "http://localhost:4321", source: "the service in this checkout" });
  expect(addressOf({ ...env, TERSE_URL: "http://a" })).toEqual({ url: "http://a", source: "TERSE_URL" });
});

it("escapes what could rewrite the terminal", async () => {
  expect(safe("a\u001B[2Jb\u202Ec\nd")).toBe("a\\u001b[2Jb\\u202ec d");
  const { stderr } = await terse(["show", "\u001B[2J"]);
  expect(stderr).not.toContain("\u001B");
});

it("stores a key for its owner's eyes and its own service only", async () => {
  const env = { XDG_CONFIG_HOME: join(home, "own") };
  expect((await terse(["whoami"], { env: { ...env, TERSE_URL: service.url } })).status).toBe(3);
  expect((await terse(["login", "--url", service.url, "--key", "wrong"], { env })).status).toBe(3);
  const login = await terse(["login", "--url", `${service.url}/`, "--key", "-"], { env, input: `${key}\n` });
  expect(login.stdout).toBe(`Signed in to ${service.url} as ${account.email}\n`);
  const file = join(home, "own/terse/config.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await terse(["whoami"], { env })).stdout).toContain(`<${account.email}>, plan pro`);
  const elsewhere = await terse(["whoami"], {
    env: { ...env, TERSE_URL: service.url.replace("127.0.0.1", "localhost") },
  });
  expect(elsewhere).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("sign in with: terse login"),
  });
  expect((await terse(["logout"], { env })).status).toBe(0);
  expect(readFileSync(file, "utf8")).not.toContain(key);
});

it("draws the clicks of a link, and of all links", async () => {
  await printed("shorten", url, "--slug", "drawn");
  const { id } = JSON.parse(await printed("show", "drawn", "--json"));
  for (let count = 0; count < 3; count += 1) await click(id);
  await until(async () => (await owner.links.get({ id })).click_count === 3);
  const chart = await printed("stats", "drawn", "--period", "7d", "--tz", "UTC");
  expect(chart).toMatch(/^ +3 +█+$/m);
  expect(chart).toMatch(/^3 clicks, 1 visitor, 0 bots$/m);
  expect(chart).toMatch(/^ {2}US +3 █+$/m);
  expect(await printed("stats")).toContain("http://short.test/drawn");
});

it("counts and exports the clicks of filters and of any time", async () => {
  await printed("shorten", url, "--slug", "filtered", "--tag", "filters");
  const { id } = JSON.parse(await printed("show", "filtered", "--json"));
  await click(id);
  await until(async () => (await owner.links.get({ id })).click_count === 1);
  const ofTag = ["--filter", "tag=filters", "--filter", "country=US", "--filter", "country=DE"];
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const lately = ["--from", yesterday, "--tz", "UTC"];
  const clicksOf = async (...args: string[]) =>
    JSON.parse(await printed("stats", ...args, "--json")).clicks as number;
  expect(await clicksOf(...lately, ...ofTag)).toBe(1);
  expect(await clicksOf(...ofTag, "--filter", "device=!desktop")).toBe(0);
  expect(await clicksOf("filtered", "--filter", "utm_source=(none)")).toBe(1);
  const rows = JSON.parse(await printed("export", "clicks", "--format", "json", ...lately, ...ofTag));
  expect(rows).toMatchObject([{ slug: "filtered", country: "US" }]);
  for (const wrong of ["country", "town=Bonn", "=DE"]) {
    const { status, stderr } = await terse(["stats", "--filter", wrong], { env: signedIn });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining(
        "--filter must be NAME=VALUE, with one of the names country, continent",
      ),
    });
  }
});

it("shows clicks as they happen, those of a lost connection too", async () => {
  await printed("shorten", url, "--slug", "watched");
  const { id } = JSON.parse(await printed("show", "watched", "--json"));
  const way = await wayTo(service.url);
  const watch = start(program, ["watch", "watched", "--count", "2", "--json"], {
    ...signedIn,
    TERSE_URL: way.url,
  });
  await until(() => watch.output.stderr.includes("Waiting"));
  way.cut();
  await click(id);
  await until(() => watch.output.stdout.includes("\n"));
  await click(id);
  const { status, stdout, stderr } = await watch.ended;
  way.close();
  expect({ status, stderr }).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/reconnecting …\nReconnected\n$/),
  });
  const clicks = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(clicks).toMatchObject(
    Array.from({ length: 2 }, () => ({ slug: "watched", country: "US", browser: "Firefox" })),
  );
  expect(clicks[0].id).not.toBe(clicks[1].id);
});

it("ends with Ctrl-C while it watches", async () => {
  const watch = start(program, ["watch"], signedIn);
  await until(() => watch.output.stderr.includes("Waiting"));
  watch.child.kill("SIGINT");
  await watch.ended;
  expect(watch.child.signalCode).toBe("SIGINT");
});

/** A way to a service whose connections can be cut. */
async function wayTo(target: string) {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket.on("error", () => {}));
      socket.on("close", () => (near.destroy(), far.destroy(), open.delete(socket)));
    }
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const cut = () => open.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close() {
      server.close();
      cut();
    },
  };
}

describe("a QR code", () => {
  it("in the terminal can be scanned", async () => {
    await printed("shorten", url, "--slug", "scan");
    for (const [args, light] of [
      [[], "█"],
      [["--invert"], " "],
    ] as const) {
      const lines = (await printed("qr", "scan", ...args)).split("\n").slice(0, -2);
      const [upper, lower] = light === "█" ? ["█▀", "█▄"] : [" ▄", " ▀"];
      const modules = lines.flatMap((line) =>
        [upper, lower].map((shown) => Array.from(line, (each) => shown.includes(each))),
      );
      expect(scan(modules)).toBe("http://short.test/scan");
    }
  });

  it("looks as it is kept with the link, in a file", async () => {
    await printed("shorten", url, "--slug", "look", "--qr", '{"color": "#036"}');
    const file = join(home, "look.svg");
    await printed("qr", "look", "-o", file);
    expect(readFileSync(file, "utf8")).toContain('fill="#003366"');
    await printed("edit", "look", "--qr", "");
    await printed("qr", "look", "-o", file);
    expect(readFileSync(file, "utf8")).toContain('fill="#000000"');
    expect((await terse(["edit", "look", "--qr", "blue"])).stderr).toContain(
      "--qr must be an object in JSON",
    );
  });

  it("is saved as a file", async () => {
    const file = join(home, "scan.png");
    expect(await printed("qr", "scan", "-o", file, "--size", "300")).toBe(`${file}\n`);
    expect(readFileSync(file).subarray(1, 4).toString()).toBe("PNG");
  });

  it("is saved as no other kind of file, and written to standard output", async () => {
    for (const file of ["x.gif", "x", "x.svgz"]) {
      const { status, stderr } = await terse(["qr", "scan", "-o", join(home, file)]);
      expect(stderr).toContain("must end with .svg or .png");
      expect([status, existsSync(join(home, file))]).toEqual([2, false]);
    }
    expect((await terse(["qr", "scan", "-o", "x.svg", "--format", "png"])).status).toBe(2);
    expect(await printed("qr", "scan", "-o", "-")).toMatch(/^<svg /);
    expect(await printed("qr", "scan", "-o", "-", "--format", "png")).toContain("PNG");
    expect(await printed("export", "links", "-o", "-")).toContain(",scan,");
    expect(existsSync("-")).toBe(false);
  });
});

/** Decodes modules, of which true is light, at four pixels each. */
function scan(modules: boolean[][]): string | undefined {
  const width = (modules[0]?.length ?? 0) * 4;
  const height = modules.length * 4;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) {
    const isLight = modules[Math.floor(at / width / 4)]?.[Math.floor((at % width) / 4)] ?? true;
    if (!isLight) pixels.fill(0, at * 4, at * 4 + 3);
  }
  return scanner.default(pixels, width, height)?.data;
}

it("imports a file, says what became of each row, and exports links", async () => {
  const file = join(home, "links.csv");
  const result = join(home, "result.csv");
  writeFileSync(file, `url,slug,cloaked\r\n${url}a,one,\r\n${url}b,two,\r\nnonsense,three,\r\n`);
  expect(await terse(["import", file, "-o", result])).toMatchObject({
    status: 1,
    stdout: "2 created, 0 existed already, 1 refused\n",
    stderr: "Ignored: cloaked\n",
  });
  expect(readFileSync(result, "utf8")).toContain("http://short.test/one");
  expect(await printed("export", "links")).toContain(`${url}a`);
  const exported = join(home, "exported.json");
  expect(await printed("export", "links", "--format", "json", "-o", exported)).toBe(`${exported}\n`);
  expect(JSON.parse(readFileSync(exported, "utf8"))).toEqual(
    expect.arrayContaining([expect.objectContaining({ slug: "two" })]),
  );
});

it("adds https:// to what is typed without it, but not to a word", async () => {
  const [link] = JSON.parse(`[${await printed("shorten", "www.example.org/x", "--json")}]`) as [
    { destination: string },
  ];
  expect(link.destination).toBe("https://www.example.org/x");
  expect(await terse(["shorten", "word"])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("must be an absolute http:// or https:// URL"),
  });
});

it("opens the console in the browser that BROWSER names", async () => {
  const opened = await terse(["open"], { env: { ...signedIn, BROWSER: "true" } });
  expect(opened).toEqual({ status: 0, stdout: `${service.url}/\n`, stderr: "" });
});

it("ends with the status of what went wrong, and one sentence", async () => {
  await printed("shorten", url, "--slug", "taken");
  const free = await service.key("free");
  const cases: [args: string[], status: number, sentence: RegExp, env?: NodeJS.ProcessEnv][] = [
    [["nonsense"], 2, /No such command: nonsense/],
    [["shorten"], 2, /URL… is missing/],
    [["list", "--state", "odd"], 2, /--state: must be one of active/],
    [["list", "--unknown"], 2, /--unknown/],
    [["show", "one", "two"], 2, /unexpected argument: two/],
    [["delete", "taken"], 2, /use --yes/],
    [["list"], 3, /not valid.*\n.*terse login/, { ...signedIn, TERSE_KEY: "terse_wrong" }],
    [["export", "clicks"], 4, /Pro plan/, { ...signedIn, TERSE_KEY: free.key }],
    [["stats"], 4, /Pro plan/, { ...signedIn, TERSE_KEY: free.key }],
    [["show", "nowhere"], 5, /not found$/m],
    [
      ["show", "https://bit.ly/x"],
      5,
      /your account at http.* has no link with the short URL https:\/\/bit\.ly\/x/,
    ],
    [["shorten", url, "--slug", "taken"], 6, /slug/],
    [["list"], 8, /could not be reached/, { ...signedIn, TERSE_URL: "http://127.0.0.1:1" }],
    [["shorten", "ftp://x"], 1, /url/],
  ];
  for (const [args, status, sentence, env] of cases) {
    const ended = await terse(args, env && { env });
    expect({ args, ...ended }).toEqual({ args, status, stdout: "", stderr: expect.stringMatching(sentence) });
  }
});

it("says why it waits when there were too many calls, and ends with 7 when it would be too long", async () => {
  const waits = ["1", "3600"];
  const busy = createHttpServer((_, response) => {
    response.writeHead(429, { "Content-Type": "application/json", "Retry-After": waits.shift() });
    response.end('{"data":null,"error":"Too many links","meta":null}');
  });
  await once(busy.listen(0, "127.0.0.1"), "listening");
  const { port } = busy.address() as AddressInfo;
  const ended = await terse(["list"], { env: { ...signedIn, TERSE_URL: `http://127.0.0.1:${port}` } });
  busy.close();
  expect(ended).toEqual({
    status: 7,
    stdout: "",
    stderr:
      "terse: rate limit exceeded; waiting 1 s\nterse: rate limit exceeded; waiting 3600 s\nterse: Too many links\n",
  });
});

describe("help, completion and manual page are one table", () => {
  it("that names every command and option", async () => {
    const help = await printed("--help");
    const page = readFileSync(join(program, "terse.1"), "utf8");
    expect(await printed("stats", "--help")).toMatch(/^Usage: terse stats \[OPTIONS\] \[LINK\]$/m);
    for (const { name, options = {} } of commands) {
      expect(help).toContain(`\n  ${name} `);
      for (const option of Object.keys(options)) {
        expect(page).toContain(`\\-\\-${option.replaceAll("-", "\\-")}`);
      }
    }
  });

  it("completes commands, options and values in bash, and in the other shells that are here", async () => {
    const script = await printed("completion", "bash");
    const complete = (...words: string[]) => {
      const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _terse; echo "\${COMPREPLY[@]}"`;
      return spawnSync("bash", ["-c", `${script}\n${line}`], { encoding: "utf8" }).stdout.trim();
    };
    expect(complete("terse", "sh")).toBe("shorten show");
    expect(complete("terse", "stats", "--pe")).toBe("--period");
    expect(complete("terse", "stats", "--period", "3")).toBe("30d");
    expect(complete("terse", "export", "cl")).toBe("clicks");
    // From files, because fish reads no script from a socket, which standard input is here.
    const scriptFor = async (shell: string) => {
      const file = join(program, `terse.${shell}`);
      writeFileSync(file, await printed("completion", shell));
      return file;
    };
    const zsh = spawnSync("zsh", ["-n", await scriptFor("zsh")], { encoding: "utf8" });
    if (!zsh.error) expect(zsh).toMatchObject({ status: 0, stderr: "" });
    const asked = `source ${await scriptFor("fish")}; complete -C "terse sh"; complete -C "terse export "`;
    const fish = spawnSync("fish", ["--no-config", "-c", asked], { encoding: "utf8" });
    const words = "shorten\tCreate short links\nshow\tShow a link\naccount\nclicks\nlinks\n";
    if (!fish.error) expect(fish).toMatchObject({ status: 0, stderr: "", stdout: words });
  });
});
