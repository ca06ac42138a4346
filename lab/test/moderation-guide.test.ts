import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { compileCache, exchange, until } from "@terse/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admin, argumentsOf, newDataDir, ports, remove } from "../../apps/standalone/test/process.ts";
import { type Service, startService } from "../../apps/standalone/test/service.ts";

const root = join(import.meta.dirname, "../../..");
const addresses = { BASE_URL: "https://terse.example.com", SHORT_BASE: "https://go.example.com" };
let dataDir: string;
let service: Service;
let httpPort: number;
let redirectPort: number;
beforeAll(async () => {
  dataDir = await newDataDir();
  const own = ports();
  httpPort = Number(own.HTTP_PORT);
  redirectPort = Number(own.REDIRECT_PORT);
  service = await startService(dataDir, { env: { ...own, ...addresses } });
});
afterAll(async () => {
  await service.stop("SIGTERM");
  await remove(dataDir);
});

const run = (args: string[]) => admin(dataDir, args, { env: addresses });

/** The commands of the walk-through in docs/security.md. */
function documentedCommands(): string[] {
  const text = readFileSync(join(root, "docs/security.md"), "utf8");
  const blocks = Array.from(text.matchAll(/^```sh\n(.*?)^```/gms), ([, block = ""]) => block);
  const block = blocks.find((each) => each.includes("admin -- report close")) ?? "";
  return block.split("\n").filter((line) => line !== "");
}

/** Runs a documented command in a shell; only `./terse` is skipped, which runs the same program. */
async function shell(command: string, variables: Record<string, string>) {
  const program = [process.execPath, ...argumentsOf("admin.ts")].map((text) => `"${text}"`).join(" ");
  const { PATH } = process.env;
  const { stdout } = await promisify(execFile)("sh", ["-c", command.replace("./terse admin", program)], {
    cwd: root,
    env: { PATH, NODE_COMPILE_CACHE: compileCache, DATA_DIR: dataDir, ...addresses, ...variables },
  });
  return JSON.parse(stdout);
}

async function post(port: number, host: string, path: string, type: string, body: string, more = "") {
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nConnection: close\r\n${more}`;
  return exchange(port, `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
const visit = async (path: string) =>
  (await exchange(redirectPort, `GET ${path} HTTP/1.1\r\nHost: go.example.com\r\nConnection: close\r\n\r\n`))
    .status;

test("the start says that anybody can create links, and prints no sign-in link", () => {
  expect(service.banner).toContain("ANONYMOUS_LINKS=off");
  expect(service.banner).toContain("login-link --email owner@terse.local");
  expect(service.banner).not.toContain("token=");
});

test("a phishing link is found, reported, disabled and its account suspended by the documented commands", async () => {
  const mallory = ["--email", "mallory@example.net"];
  await run(["user", "create", ...mallory]);
  const { answer: created } = await run(["key", "create", ...mallory]);
  const bearer = `Authorization: Bearer ${created.key}\r\n`;
  const create = (slug: string) =>
    post(
      httpPort,
      "terse.example.com",
      "/v1/links",
      "application/json",
      JSON.stringify({ url: `https://login.phish.example/${slug}`, slug }),
      bearer,
    );
  for (const slug of ["gift", "prize"]) expect((await create(slug)).status).toBe(201);
  expect(await visit("/gift")).toBe(302);
  const form = "application/x-www-form-urlencoded";
  expect((await post(redirectPort, "go.example.com", "/gift+", form, "reason=phishing")).status).toBe(200);
  await until(() => service.output.stdout.includes('"code":"link_reported"'));

  const [find = "", ...others] = documentedCommands();
  const { links } = await shell(find, {});
  expect(links).toMatchObject([
    {
      short_url: "https://go.example.com/gift",
      destination: "https://login.phish.example/gift",
      account: { email: "mallory@example.net" },
    },
  ]);
  const answers: Record<string, unknown>[] = [];
  for (const command of others) answers.push(await shell(command, { LINK: links[0].id }));
  expect(answers).toMatchObject([
    { reports: [{ link_id: links[0].id, reason: "phishing", link: "enabled" }] },
    { links: [{ short_url: "https://go.example.com/prize" }, { short_url: "https://go.example.com/gift" }] },
    { disabled_reason: "phishing" },
    { email: "mallory@example.net", suspended_reason: "phishing", links: 2, disabled_links: 1 },
    { closed: 1 },
  ]);
  for (const path of ["/gift", "/gift+", "/prize"]) await until(async () => (await visit(path)) === 410);
  expect((await create("again")).status).toBe(403);
});
