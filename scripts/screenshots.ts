import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { launchBrowser } from "../packages/testkit/src/chromium.ts";

const usage = `Usage: npm run screenshots -- [--out FOLDER]

Photographs every screen of the console, in both themes and three widths, with the data of npm run seed.

Options:
  --out FOLDER  where the pictures go; "screenshots" in the data folder by default
  -h, --help    show this help

Needs Chromium. Exit code 0: all pictures were taken. Exit code 1: something failed.`;

const { values } = parseArgs({ options: { out: { type: "string" }, help: { type: "boolean", short: "h" } } });
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const root = join(import.meta.dirname, "..");
const out = values.out ?? join(root, ".data", "screenshots");
const dataDir = await mkdtemp(join(tmpdir(), "terse-screenshots-"));
const env = {
  ...process.env,
  DATA_DIR: dataDir,
  HTTP_PORT: "4310",
  REDIRECT_PORT: "4311",
  MCP_PORT: "4312",
  ADMIN_PORT: "4313",
};
const base = `http://localhost:${env.HTTP_PORT}`;

/** Runs a program of the service on the temporary data, and returns what it prints. */
const program = (name: string, ...args: string[]) =>
  execFileSync(process.execPath, [join(root, "apps/standalone/src", `${name}.ts`), ...args], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });

async function started(): Promise<ChildProcess> {
  const main = join(root, "apps/standalone/src/main.ts");
  const service = spawn(process.execPath, [main], { env, stdio: ["ignore", "ignore", "inherit"] });
  while (!(await fetch(`${base}/health`).catch(() => null))?.ok) {
    if (service.exitCode !== null) throw new Error(`The service ended with code ${service.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return service;
}

const screens = [
  ["links", "/"],
  ["builder", "/?new=https://example.com/launch"],
  ["analytics", "/analytics"],
  ["filtered", "/analytics?country=DE&device=mobile&period=90d"],
  ["pages", "/buckets"],
  ["page", "/buckets?edit=new"],
  ["import", "/import"],
  ["domains", "/domains"],
  ["profile", "/settings/profile"],
  ["keys", "/settings/keys"],
  ["operator", "/operator"],
] as const;

await mkdir(out, { recursive: true });
const service = await started();
try {
  program("seed");
  program("admin", "user", "set-operator", "--email", "demo@terse.local");
  const browser = await launchBrowser();
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [360, 768, 1280]) {
      const page = await browser.newPage({
        colorScheme,
        viewport: { width, height: width < 640 ? 780 : 800 },
      });
      const shoot = (name: string) =>
        page.screenshot({ path: join(out, `${name}-${colorScheme}-${width}.png`) });
      await page.goto(base);
      await page.getByRole("heading").waitFor();
      await shoot("sign-in");
      const link = JSON.parse(program("admin", "login-link", "--email", "demo@terse.local")) as {
        url: string;
      };
      await page.goto(link.url);
      for (const [name, path] of screens) {
        await page.goto(base + path);
        await page.waitForLoadState("networkidle");
        await shoot(name);
      }
      await page.goto(`${base}/?q=early-access`);
      await page.getByRole("listitem").getByRole("link").first().click();
      await page.waitForLoadState("networkidle");
      await shoot("link");
      await page.keyboard.press("q");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      await shoot("qr");
      await page.close();
      console.error(`${colorScheme}, ${width} pixels: done`);
    }
  }
  await browser.close();
} finally {
  service.kill("SIGTERM");
  await once(service, "exit");
  await rm(dataDir, { recursive: true, force: true });
}
console.log(out);
