import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { operatorViews } from "../../apps/console/src/features/operator/views.ts";
import { pathOf, sectionNames } from "../../apps/console/src/app/screens.ts";
import { launchBrowser } from "../../packages/testkit/src/chromium.ts";

const usage = `Usage: npm --prefix lab run screenshots -- [--out FOLDER] [--height PIXELS]

Photographs every screen of the console, in both themes and three widths, with the demo data.

Options:
  --out FOLDER     where the pictures go; "screenshots" in the data folder by default
  --height PIXELS  height of the window, 800 by default; a larger one shows more of long screens
  -h, --help       show this help

Needs Chromium. Exit code 0: all pictures were taken. Exit code 1: something failed.`;

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    height: { type: "string", default: "800" },
    help: { type: "boolean", short: "h" },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const root = join(import.meta.dirname, "../..");
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

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

/** Name of the picture, path of the screen, and keys that open a dialog on it. */
type Screen = [name: string, path: string, keys?: string];

/** Every screen, for the ids of a link and of a page. */
const screensOf = (link: string, page: string): Screen[] => [
  ["links", "/"],
  ["selection", "/", "j x Shift+ArrowDown Shift+ArrowDown"],
  ["palette", "/", "Control+k"],
  ["shortcuts", "/", "?"],
  ["builder", "/?new=https://example.com/launch"],
  ["editor", `/links/${link}?edit=true`],
  ["link", `/links/${link}`],
  ["qr", `/links/${link}/qr`],
  ["sheet", `/qr?ids=${link}&copies=12`],
  ["analytics", "/analytics"],
  ["filtered", "/analytics?country=DE&device=mobile&period=90d"],
  ["compared", `/analytics?period=90d&compare=["${link}"]`],
  ["table", "/analytics?table=chart"],
  ["export", "/analytics", "x"],
  ["pages", "/buckets"],
  ["page", `/buckets?edit=${page}`],
  ["import", "/import"],
  ["changes", "/changes"],
  ["domains", "/domains"],
  ...sectionNames.map((name): Screen => [name, pathOf(name)]),
  ["key", "/settings/keys?new=true"],
  ...operatorViews.map((view): Screen => [`operator-${view}`, `/operator?view=${view}`]),
  ["missing", "/no-such-screen"],
];

async function signIn(page: Page, email: string): Promise<void> {
  const link = JSON.parse(program("admin", "login-link", "--email", email)) as { url: string };
  await page.goto(link.url);
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Waits until a page has what it asked for. A stream of clicks, on long pages, has no end. */
const settled = (page: Page): Promise<void> =>
  page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => {});

/** The id of the first entry of a list of the API, as the browser's account sees it. */
async function firstId(page: Page, path: string): Promise<string> {
  const answer = await page.request.get(base + path);
  const { data } = (await answer.json()) as { data: [{ id: string }] };
  return data[0].id;
}

/** Every screen in one theme and one width, from the page for signing in to the last of the operator. */
async function photograph(browser: Browser, colorScheme: "light" | "dark", width: number): Promise<void> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: Number(values.height) } });
  const shoot = async (name: string, screen: string, keys = "") => {
    await page.goto(base + screen);
    await settled(page);
    for (const key of keys.split(" ").filter(Boolean)) await page.keyboard.press(key);
    await page.getByRole("heading").first().waitFor();
    // What stands for a screen or a dialog that is being loaded
    await page.locator(".skeleton, [role=dialog][aria-busy]").first().waitFor({ state: "detached" });
    if (keys) await settled(page);
    const path = join(out, `${name}-${colorScheme}-${width}.png`);
    await page.screenshot({ path, animations: "disabled" });
  };
  await shoot("sign-in", "/");
  await signIn(page, "owner@terse.local");
  await shoot("first-steps", "/");
  await page.context().clearCookies();
  await signIn(page, "demo@terse.local");
  const link = await firstId(page, "/v1/links?search=early-access&limit=1");
  const bucket = await firstId(page, "/v1/buckets");
  for (const screen of screensOf(link, bucket)) await shoot(...screen);
  await page.close();
  console.error(`${colorScheme}, ${width} pixels: done`);
}

await mkdir(out, { recursive: true });
const service = await started();
try {
  execFileSync(process.execPath, [join(root, "lab/seed/main.ts")], { env, stdio: "inherit" });
  program("admin", "user", "set-operator", "--email", "demo@terse.local");
  const browser = await launchBrowser();
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [360, 768, 1280]) await photograph(browser, colorScheme, width);
  await browser.close();
} finally {
  service.kill("SIGTERM");
  await once(service, "exit");
  await rm(dataDir, { recursive: true, force: true });
}
console.log(out);
